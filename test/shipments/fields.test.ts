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
    reference: 'every field',
  }) as ShipmentRequest;
  const { id } = await account.client.createShipment(request);
  const { pickup_window, ...fields } = request;
  const shipment = await account.client.getShipment({ shipment_id: id });
  expect(shipment, 'Return the field in shipmentFrom of packages/server/src/shipments/queries.ts.').toMatchObject(
    fields,
  );
  const { start, end } = shipment.pickup_window;
  expect([start, end].map(Date.parse)).toEqual(
    [pickup_window.start, pickup_window.end].map((time) => Date.parse(`${time}`)),
  );
});
