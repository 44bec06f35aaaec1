import type { ShipmentRequest } from '@waybill/client';
import { expect } from 'vitest';
import { completed } from '../contract-coverage/complete.ts';
import { operationOf, type Schema } from '../fixtures/contract.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

test('getShipment returns every field that createShipment accepts', async ({ account }) => {
  const { bodySchema } = operationOf('createShipment');
  const request = completed(bodySchema as Schema, {
    ...shipmentRequest(),
    delivery_window: { start: '2026-03-03T08:00:00-08:00', end: '2026-03-03T17:00:00-08:00' },
    reference: 'every field',
  }) as ShipmentRequest;
  const { id } = await account.client.createShipment(request);
  const { pickup_window, delivery_window, ...fields } = request;
  const shipment = await account.client.getShipment({ shipment_id: id });
  expect(shipment, 'Return the field in shipmentFrom of packages/server/src/shipments/queries.ts.').toMatchObject(
    fields,
  );
  const times = [shipment.pickup_window, shipment.delivery_window].flatMap((window) => [window?.start, window?.end]);
  expect(times.map((time) => Date.parse(`${time}`))).toEqual(
    [pickup_window, delivery_window].flatMap((window) =>
      [window?.start, window?.end].map((time) => Date.parse(`${time}`)),
    ),
  );
});

test.for<[items: { pieces: number; weight_kg: number }[], totals: { pieces: number; weight_kg: number }]>([
  [
    [
      { pieces: 3, weight_kg: 0.1 },
      { pieces: 4, weight_kg: 0.2 },
    ],
    { pieces: 7, weight_kg: 0.3 },
  ],
  [[{ pieces: 1, weight_kg: 0.0014 }], { pieces: 1, weight_kg: 0.001 }],
  [[{ pieces: 100_000, weight_kg: 100_000 }], { pieces: 100_000, weight_kg: 100_000 }],
])('the totals of %j are %j', async ([items, totals], { account }) => {
  const described = items.map((item) => ({ ...item, description: 'Tiles' }));
  const created = await account.client.createShipment({ ...shipmentRequest(), items: described });
  expect(created.totals).toEqual(totals);
  expect(await account.client.getShipment({ shipment_id: created.id })).toEqual(created);
});
