import {
  type Event,
  type EventMembers,
  type KnownEventType,
  type KnownProblemCode,
  type Problem,
  type Schemas,
  type ShipmentRequest,
  WaybillError,
  type WaybillEvent,
} from '@waybill/client';
import type { eventData } from '@waybill/contract/events';
import type { components as open } from '@waybill/contract/open-types';
import type { components as closed } from '@waybill/contract/types';
import { expect, expectTypeOf } from 'vitest';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

type Open = open['schemas'];
type Closed = closed['schemas'];

/** As a request contains it: with dates, and with undefined for what is optional. */
type Accepting<T> = T extends string | number
  ? T
  : T extends (infer Item)[]
    ? Accepting<Item>[]
    : { [Key in keyof T]: Accepting<T[Key]> | (undefined extends T[Key] ? undefined : never) };
/** The client's requests without dates, to compare them with types that another generator makes. */
type WithoutDates<T> = T extends Date ? never : T extends object ? { [Key in keyof T]: WithoutDates<T[Key]> } : T;

test("the client's types are those that openapi-typescript makes of the contract", () => {
  type Requests =
    | 'AddressRequest'
    | 'CancelRequest'
    | 'CoordinatesRequest'
    | 'EventLocation'
    | 'PickupWindowRequest'
    | 'PositionReport'
    | 'PositionsRequest'
    | 'ProofOfDeliveryRequest'
    | 'ProofUploadRequest'
    | 'RequestTimestamp'
    | 'ShipmentRequest'
    | 'TrackingEventRequest'
    | 'WebhookEndpointChanges'
    | 'WebhookEndpointRequest'
    | 'WebhookReplayRequest'
    | 'WebhookSecretRotation';
  type Responses = Exclude<keyof Open, Requests | 'ImageFile' | 'EmptyRequest'>;
  expectTypeOf<keyof Schemas>().toEqualTypeOf<keyof Open>();
  expectTypeOf<Pick<Schemas, Responses>>().toEqualTypeOf<Pick<Open, Responses>>();
  expectTypeOf<WithoutDates<Pick<Schemas, Requests>>>().branded.toEqualTypeOf<Accepting<Pick<Closed, Requests>>>();
});

test('an argument of the wrong type is refused by the compiler and by the client', async ({ account: { client } }) => {
  // @ts-expect-error a shipment is read by its id
  await expect(client.getShipment({ path: { tracking_number: 'FRT-2026-000001' } })).rejects.toThrow(TypeError);
  // @ts-expect-error the id is required
  await expect(client.getShipment()).rejects.toThrow(TypeError);
  // @ts-expect-error an id is text
  await expect(client.getShipment({ path: { shipment_id: 7 } })).rejects.toThrow(TypeError);
  // @ts-expect-error it is `limit`
  await expect(client.listShipments({ query: { limits: 3 } })).rejects.toThrow(TypeError);
  // @ts-expect-error there is no such operation
  expect(client.deleteShipment).toBeUndefined();
});

test('a misspelt field or value is refused by the compiler and by the service', async ({ account: { client } }) => {
  const { notes: _, ...body } = shipmentRequest();
  const misspelt = client.createShipment({
    body: {
      ...body,
      // @ts-expect-error it is `notes`
      note: 'Ring twice',
    },
  });
  await expect(misspelt).rejects.toMatchObject({ errors: [{ pointer: '/note', code: 'unknown_field' }] });
  // @ts-expect-error it is `freight`
  const type: ShipmentRequest['type'] = 'frieght';
  await expect(client.createShipment({ body: { ...body, type } })).rejects.toMatchObject({
    errors: [{ pointer: '/type', code: 'not_allowed' }],
  });
  // @ts-expect-error it is `delivered`
  await expect(client.listShipments({ query: { status: 'delivred' } })).rejects.toMatchObject({
    errors: [{ in: 'query', pointer: '/status', code: 'not_allowed' }],
  });
});

test('the code of a WaybillError tells its members', async ({ account: { client } }) => {
  const body = { ...shipmentRequest(), reference: 'PO-1' };
  const { id, status } = (await client.createShipment({ body })).data;
  const error: unknown = await client.createShipment({ body }).catch((error) => error);
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
        expectTypeOf(error.allowed).toEqualTypeOf<Schemas['ShipmentStatus'][]>();
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
  const { id } = (await client.createShipment({ body: shipmentRequest() })).data;
  const { value: event } = await client.events().next();
  if (!event) expect.unreachable();
  const name = (event: WaybillEvent): string | undefined => {
    // Before a comparison, no resource is certain.
    expectTypeOf(event.data.shipment).toEqualTypeOf<Schemas['Shipment'] | undefined>();
    switch (event.type) {
      case 'shipment.created':
        expectTypeOf(event.data.shipment).toEqualTypeOf<Schemas['Shipment']>();
        return event.data.shipment.id;
      case 'tracking.eta_changed':
      case 'proof_of_delivery.submitted':
        expectTypeOf(event.data.tracking).toEqualTypeOf<Schemas['TrackingStatus']>();
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
  expectTypeOf<EventMembers>().toEqualTypeOf<{
    -readonly [Type in keyof typeof eventData]: (typeof eventData)[Type];
  }>();
});

test('events of selected types have their data without a comparison', async ({ account: { client } }) => {
  const { id } = (await client.createShipment({ body: shipmentRequest() })).data;
  const { value: event } = await client.events({ types: ['shipment.created', 'shipment.cancelled'] }).next();
  if (!event) expect.unreachable();
  expectTypeOf(event.type).toEqualTypeOf<'shipment.created' | 'shipment.cancelled'>();
  expect(event.data.shipment.id).toBe(id);
  // @ts-expect-error there is no such type
  await expect(client.events({ types: ['shipment.create'] }).next()).rejects.toMatchObject({
    errors: [{ in: 'query', pointer: '/types' }],
  });
});

test('a result has the contract’s statuses, and a body only where the contract has one', async ({
  account: { client },
}) => {
  const result = await client.createShipment({ body: shipmentRequest() });
  expectTypeOf(result.status).toEqualTypeOf<201>();
  expectTypeOf(result.data).toEqualTypeOf<Schemas['Shipment']>();
  expect(result).toMatchObject({ status: 201, attempts: 1 });
  expect(result.headers.get('location')).toBe(`/v1/shipments/${result.data.id}`);
  expect(result.requestId).toBe(result.headers.get('x-request-id'));
  expectTypeOf<Awaited<ReturnType<typeof client.putProofFile>>['data']>().toEqualTypeOf<undefined>();
  expectTypeOf<Awaited<ReturnType<typeof client.getProofFile>>['data']>().toEqualTypeOf<Blob>();
});
