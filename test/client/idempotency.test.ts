import { createClient } from '@waybill/client';
import { expect } from 'vitest';
import { newShipment, shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

const body = shipmentRequest();

test('createShipment creates one shipment although two responses are lost', async ({ service, account }) => {
  let lost = 2;
  const client = createClient({
    baseUrl: service.baseUrl,
    apiKey: account.key,
    fetch: async (request) => {
      const response = await fetch(request);
      if (lost-- > 0) throw new TypeError('the connection broke');
      return response;
    },
  });
  const { data, replayed } = await client.createShipment(body).withResponse();
  expect(replayed).toBe(true);
  expect((await account.client.listShipments()).data).toEqual([data]);
});

test('an error indicates a replay', async ({ account: { client } }) => {
  const { id } = await newShipment({ client });
  const cancel = { shipment_id: id, reason: 'No truck.' };
  await client.cancelShipment(cancel);
  const idempotencyKey = crypto.randomUUID();
  const attempt = () => client.cancelShipment(cancel, { idempotencyKey }).catch((error) => error);
  expect(await attempt()).toMatchObject({ code: 'invalid_transition', replayed: false });
  expect(await attempt()).toMatchObject({ code: 'invalid_transition', replayed: true });
});
