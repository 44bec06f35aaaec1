import type { Schemas } from '@waybill/client';
import type { components } from '@waybill/contract/types';
import { expect, expectTypeOf } from 'vitest';
import { newShipment, shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

type Closed = components['schemas'];
type Open<T> = T | (string & {});

test('an argument of the wrong type is refused by the compiler and by the client', async ({ account: { client } }) => {
  // @ts-expect-error a shipment is read by its id
  await expect(client.getShipment({ path: { tracking_number: 'FRT-2026-000001' } })).rejects.toThrow(TypeError);
  // @ts-expect-error the id is required
  await expect(client.getShipment()).rejects.toThrow(TypeError);
  // @ts-expect-error an id is text
  await expect(client.getShipment({ path: { shipment_id: 7 } })).rejects.toThrow(TypeError);
  // @ts-expect-error there is no such operation
  expect(client.deleteShipment).toBeUndefined();
});

test('a misspelt field is refused by the compiler and by the service', async ({ account: { client } }) => {
  const { notes: _, ...body } = shipmentRequest();
  const misspelt = client.createShipment({
    body: {
      ...body,
      // @ts-expect-error it is `notes`
      note: 'Ring twice',
    },
  });
  await expect(misspelt).rejects.toMatchObject({ errors: [{ pointer: '/note', code: 'unknown_field' }] });
  // @ts-expect-error it is `limit`
  await expect(client.listShipments({ query: { limits: 3 } })).rejects.toMatchObject({
    errors: [{ in: 'query', pointer: '/limits', code: 'unknown_field' }],
  });
});

test('open enumerations accept other strings in responses, closed ones do not', async ({ account }) => {
  const shipment = await newShipment(account);
  expectTypeOf(shipment.status).toEqualTypeOf<Open<Closed['ShipmentStatus']>>();
  expectTypeOf<Schemas['Problem']['code']>().toEqualTypeOf<Open<Closed['ProblemCode']>>();
  expectTypeOf<Schemas['FileKind']>().toEqualTypeOf<Closed['FileKind']>();
  // A status that is not known yet can be handled.
  expectTypeOf<'lost'>().toExtend<typeof shipment.status>();
  expect(shipment.status).toBe('scheduled');
});

test('a result has the contract’s statuses, and a body only where the contract has one', async ({
  account: { client },
}) => {
  const result = await client.createShipment({ body: shipmentRequest() });
  expectTypeOf(result.status).toEqualTypeOf<201>();
  expectTypeOf(result.data).toEqualTypeOf<Schemas['Shipment']>();
  expect(result.status).toBe(201);
  expect(result.headers.get('location')).toBe(`/v1/shipments/${result.data.id}`);
  expect(result.requestId).toBe(result.headers.get('x-request-id'));
  expectTypeOf<Awaited<ReturnType<typeof client.putProofFile>>['data']>().toEqualTypeOf<undefined>();
  expectTypeOf<Awaited<ReturnType<typeof client.getProofFile>>['data']>().toEqualTypeOf<Blob>();
});
