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
import { shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

type JsonOf<Body> = Body extends { content: { 'application/json': infer Json } }
  ? Json extends Record<string, never>
    ? never
    : Json
  : never;
type BodyOf<Operation> = Operation extends { requestBody?: infer Body } ? JsonOf<Body> : never;
type Bodies<Operations> = { [Id in keyof open & keyof Operations]: BodyOf<Operations[Id]> };
type DataOf<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & (200 | 201 | 202)]: Responses[Status] extends {
        content: { 'application/json': infer Data };
      }
        ? Data
        : never;
    }[keyof Responses & (200 | 201 | 202)]
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
  expectTypeOf<'lost'>().toExtend<Shipment['status']>();
  expectTypeOf<'lost'>().not.toExtend<Params<'listShipments'>['status']>();
});

test('an argument of the wrong type is refused by the compiler and by the client', async ({ account: { client } }) => {
  // @ts-expect-error a shipment is read by its id
  await expect(client.getShipment({ tracking_number: 'FRT-2026-000001' })).rejects.toThrow(TypeError);
  // @ts-expect-error the id is required
  await expect(client.getShipment()).rejects.toThrow(TypeError);
  // @ts-expect-error an id is text
  await expect(client.getShipment({ shipment_id: 7 })).rejects.toThrow(TypeError);
  // @ts-expect-error it is `limit`
  await expect(client.listShipments({ limits: 3 })).rejects.toThrow(TypeError);
  // @ts-expect-error there is no such operation
  expect(client.deleteShipment).toBeUndefined();
});

test('a misspelt field or value is refused by the compiler and by the service', async ({ account: { client } }) => {
  const { notes: _, ...body } = shipmentRequest();
  // @ts-expect-error it is `notes`
  const misspelt = client.createShipment({ ...body, note: 'Ring twice' });
  await expect(misspelt).rejects.toMatchObject({ errors: [{ pointer: '/note', code: 'unknown_field' }] });
  // @ts-expect-error it is `freight`
  const type: ShipmentRequest['type'] = 'frieght';
  await expect(client.createShipment({ ...body, type })).rejects.toMatchObject({
    errors: [{ pointer: '/type', code: 'not_allowed' }],
  });
  // @ts-expect-error it is `delivered`
  await expect(client.listShipments({ status: 'delivred' })).rejects.toMatchObject({
    errors: [{ in: 'query', pointer: '/status', code: 'invalid_format' }],
  });
});

test('the code of a WaybillError tells its members', async ({ account: { client } }) => {
  const body = { ...shipmentRequest(), reference: 'PO-1' };
  const { id, status } = await client.createShipment(body);
  const error: unknown = await client.createShipment(body).catch((error) => error);
  if (!(error instanceof WaybillError && error.code === 'reference_taken')) expect.unreachable();
  expectTypeOf(error.shipment_id).toEqualTypeOf<string>();
  expect(error.shipment_id).toBe(id);
  // @ts-expect-error problems with this code do not have it
  expect(error.allowed).toBeUndefined();
  // A status that is not known yet can be handled.
  expectTypeOf<'lost'>().toExtend<typeof status>();
  expectTypeOf<WaybillError['code'] & KnownProblemCode>().toEqualTypeOf<KnownProblemCode>();
  expectTypeOf<WaybillError['code']>().toExtend<string>();
  expectTypeOf<'moon_phase'>().toExtend<Problem['code']>();
  const name = (error: WaybillError) => {
    switch (error.code) {
      case 'invalid_transition':
        expectTypeOf(error.allowed).toEqualTypeOf<ShipmentStatus[]>();
        return error.allowed.join();
      case 'not_delivered':
        return error.current_status;
      default:
        // Also codes that are not known yet.
        return error.problem.code === 'moon_phase' ? 'moon' : error.code;
    }
  };
  expect(name(error)).toBe('reference_taken');
});

test('the type of an event tells its data', async ({ account: { client } }) => {
  const { id } = await client.createShipment(shipmentRequest());
  const { value: event } = await client.followEvents().next();
  if (!event) expect.unreachable();
  const name = (event: WaybillEvent): string | undefined => {
    // Before a comparison, no resource is certain.
    expectTypeOf(event.data.shipment).toEqualTypeOf<Shipment | undefined>();
    switch (event.type) {
      case 'shipment.created':
        expectTypeOf(event.data.shipment).toEqualTypeOf<Shipment>();
        return event.data.shipment.id;
      case 'tracking.eta_changed':
        expectTypeOf(event.data.tracking_change).toEqualTypeOf<TrackingChange>();
        return event.data.tracking_change.shipment_id;
      case 'proof_of_delivery.submitted':
        expectTypeOf(event.data.tracking).toEqualTypeOf<TrackingStatus>();
        return event.data.tracking.tracking_number;
      // @ts-expect-error there is no such type
      case 'shipment.create':
        return;
      default: {
        // Also types that are not known yet.
        const type: string = event.type;
        return type === 'shipment.weighed' ? 'weighed' : type;
      }
    }
  };
  expect(name(event)).toBe(id);
  expect(name({ ...event, type: 'shipment.weighed', data: {} } as Event as WaybillEvent)).toBe('weighed');
  expectTypeOf<WaybillEvent>().toExtend<Event>();
  expectTypeOf<WaybillEvent['type'] & KnownEventType>().toEqualTypeOf<KnownEventType>();
});

test('events of selected types have their data without a comparison', async ({ account: { client } }) => {
  const { id } = await client.createShipment(shipmentRequest());
  const { value: event } = await client.followEvents({ types: ['shipment.created', 'shipment.cancelled'] }).next();
  if (!event) expect.unreachable();
  expectTypeOf(event.type).toEqualTypeOf<'shipment.created' | 'shipment.cancelled'>();
  expect(event.data.shipment.id).toBe(id);
  // @ts-expect-error there is no such type
  await expect(client.followEvents({ types: ['shipment.create'] }).next()).rejects.toMatchObject({
    errors: [{ in: 'query', pointer: '/types' }],
  });
});

test('a call resolves with the body of its response, withResponse also with its headers', async ({
  account: { client },
}) => {
  const creating = client.createShipment(shipmentRequest());
  const shipment = await creating;
  const response = await creating.withResponse();
  expectTypeOf(shipment).toEqualTypeOf<Shipment>();
  expectTypeOf(response.data).toEqualTypeOf<Shipment>();
  expect(response).toMatchObject({ data: shipment, status: 201, attempts: 1, etag: null, replayed: false });
  expect(response.headers.get('location')).toBe(`/v1/shipments/${shipment.id}`);
  expect(response.requestId).toBe(response.headers.get('x-request-id'));
  const { tracking_number } = shipment;
  const tracking = client.getTracking({ tracking_number });
  expectTypeOf(await tracking).toEqualTypeOf<TrackingStatus>();
  const ifNoneMatch = (await tracking.withResponse()).etag;
  const again = await client.getTracking({ tracking_number }, { ifNoneMatch });
  expectTypeOf(again).toEqualTypeOf<TrackingStatus | undefined>();
  expect(again).toBeUndefined();
  const same = await client.getTracking({ tracking_number }, { ifNoneMatch }).withResponse();
  expect(same).toMatchObject({ status: 304, data: undefined, etag: ifNoneMatch });
  // @ts-expect-error a 304 has no data
  expect(() => same.data.status).toThrow(TypeError);
  expectTypeOf<Result<'putProofFile'>>().toEqualTypeOf<undefined>();
  expectTypeOf<Result<'getProofFile'>>().toEqualTypeOf<Blob>();
});
