import {
  type Event,
  type KnownEventType,
  type KnownProblemCode,
  type operations as open,
  type Params,
  type Problem,
  type Result,
  type Shipment,
  type ShipmentRequest,
  type ShipmentStatus,
  type TrackingChange,
  type TrackingStatus,
  WaybillError,
  type WaybillEvent,
} from '@waybill/client';
import type { operations as closed } from '@waybill/contract/types';
import { expect, expectTypeOf } from 'vitest';
import { newShipment, shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

type JsonIn<Content> = Content extends { content: { 'application/json': infer Json } } ? Json : never;
type BodyOf<Operation> = Operation extends { requestBody?: infer Body } ? JsonIn<Body> : never;
type Bodies<Operations> = {
  [Id in keyof open & keyof Operations]: BodyOf<Operations[Id]> extends infer Json
    ? Json extends Record<string, never>
      ? never
      : Json
    : never;
};
type DataOf<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses & (200 | 201 | 202)]: JsonIn<Responses[Status]> }[keyof Responses & (200 | 201 | 202)]
  : never;
type JsonId = { [Id in keyof open]: [DataOf<closed[Id]>] extends [never] ? never : Id }[keyof open];

/** With undefined for what is optional. */
type Accepting<T> = T extends string | number
  ? T
  : T extends (infer Item)[]
    ? Accepting<Item>[]
    : { [Key in keyof T]: Accepting<T[Key]> | (undefined extends T[Key] ? undefined : never) };
type WithoutDates<T> = T extends Date ? never : T extends object ? { [Key in keyof T]: WithoutDates<T[Key]> } : T;

test("the client's types are those of the contract, with dates in requests and unknown values in responses", () => {
  expectTypeOf<WithoutDates<Bodies<open>>>().branded.toEqualTypeOf<Accepting<Bodies<closed>>>();
  expectTypeOf<{ [Id in JsonId]: DataOf<closed[Id]> }>().toExtend<{ [Id in JsonId]: DataOf<open[Id]> }>();
  expectTypeOf<ShipmentRequest['pickup_window']['start']>().toEqualTypeOf<string | Date>();
  expectTypeOf<Shipment['pickup_window']['start']>().toEqualTypeOf<string>();
  expectTypeOf<'stored'>().toExtend<Shipment['status']>();
  expectTypeOf<'stored'>().not.toExtend<Params<'listShipments'>['status']>();
  expectTypeOf<Result<'putProofFile'>>().toEqualTypeOf<undefined>();
  expectTypeOf<Result<'getProofFile'>>().toEqualTypeOf<Blob>();
});

test('the compiler and the service refuse arguments of other types', async ({ account: { client } }) => {
  // @ts-expect-error a shipment is read by its id
  await expect(client.getShipment({ tracking_number: 'FRT-2026-000001' })).rejects.toThrow(TypeError);
  // @ts-expect-error it is `limit`
  await expect(client.listShipments({ limits: 3 })).rejects.toThrow(TypeError);
  const code = 'invalid_request';
  // @ts-expect-error it is `notes`
  await expect(client.createShipment({ ...shipmentRequest(), note: 'Ring' })).rejects.toMatchObject({ code });
  // @ts-expect-error there is no such type
  await expect(client.followEvents({ types: ['shipment.create'] }).next()).rejects.toMatchObject({ code });
});

test('the code of a WaybillError tells its members', async ({ account: { client } }) => {
  const body = { ...shipmentRequest(), reference: 'PO-1' };
  const { id } = await client.createShipment(body);
  const error: unknown = await client.createShipment(body).catch((error) => error);
  if (!(error instanceof WaybillError && error.code === 'reference_taken')) expect.unreachable();
  expectTypeOf(error.shipment_id).toEqualTypeOf<string>();
  expect(error.shipment_id).toBe(id);
  for (const replayed of [false, true])
    await expect(client.createShipment(body, { idempotencyKey: 'k' })).rejects.toMatchObject({ replayed });
  // @ts-expect-error problems with this code do not have it
  expect(error.allowed).toBeUndefined();
  expectTypeOf<WaybillError['code'] & KnownProblemCode>().toEqualTypeOf<KnownProblemCode>();
  expectTypeOf<WaybillError['code']>().toExtend<string>();
  expectTypeOf<'moon_phase'>().toExtend<Problem['code']>();
  const name = (error: WaybillError) => {
    if (error.code === 'invalid_transition') expectTypeOf(error.allowed).toEqualTypeOf<ShipmentStatus[]>();
    // Also codes that are not known yet.
    return error.problem.code === 'moon_phase' ? 'moon' : error.code;
  };
  expect(name(error)).toBe('reference_taken');
});

test('the type of an event tells its data, also without a comparison', async ({ account: { client } }) => {
  const { id } = await newShipment({ client });
  const { value: selected } = await client.followEvents({ types: ['shipment.created', 'shipment.cancelled'] }).next();
  if (!selected) expect.unreachable();
  expectTypeOf(selected.type).toEqualTypeOf<'shipment.created' | 'shipment.cancelled'>();
  expect(selected.data.shipment.id).toBe(id);
  const name = (event: WaybillEvent): string | undefined => {
    // Before a comparison, no resource is certain.
    expectTypeOf(event.data.shipment).toEqualTypeOf<Shipment | undefined>();
    switch (event.type) {
      case 'shipment.created':
        return event.data.shipment.id;
      case 'tracking.eta_changed':
        expectTypeOf(event.data.tracking_change).toEqualTypeOf<TrackingChange>();
        return;
      // @ts-expect-error there is no such type
      case 'shipment.create':
        return;
      default:
        return event.type as string; // also a type that is not known yet
    }
  };
  expect(name(selected)).toBe(id);
  expect(name({ ...selected, type: 'shipment.weighed', data: {} } as Event as WaybillEvent)).toBe('shipment.weighed');
  expectTypeOf<WaybillEvent>().toExtend<Event>();
  expectTypeOf<WaybillEvent['type'] & KnownEventType>().toEqualTypeOf<KnownEventType>();
});

test('a call resolves with the body, withResponse also with the headers', async ({ account: { client } }) => {
  const creating = client.createShipment(shipmentRequest());
  const shipment = await creating;
  expectTypeOf(shipment).toEqualTypeOf<Shipment>();
  const { headers, requestId, ...response } = await creating.withResponse();
  expect(response).toEqual({ data: shipment, status: 201, attempts: 1, etag: null, replayed: false });
  expect([headers.get('location'), headers.get('x-request-id')]).toEqual([`/v1/shipments/${shipment.id}`, requestId]);
  const { tracking_number } = shipment;
  const { data, etag: ifNoneMatch } = await client.getTracking({ tracking_number }).withResponse();
  expectTypeOf(data).toEqualTypeOf<TrackingStatus>();
  const again = client.getTracking({ tracking_number }, { ifNoneMatch });
  expectTypeOf(await again).toEqualTypeOf<TrackingStatus | undefined>();
  const same = await again.withResponse();
  expect(same).toMatchObject({ status: 304, data: undefined, etag: ifNoneMatch });
  // @ts-expect-error a 304 has no data
  expect(() => same.data.status).toThrow(TypeError);
});
