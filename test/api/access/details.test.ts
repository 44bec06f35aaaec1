import type { AccessRequest } from '@waybill/client';
import { describe, expect } from 'vitest';
import { type OperationId, operationOf } from '../../fixtures/contract.ts';
import { type Received, receive, send } from '../../fixtures/http.ts';
import { newPosition, ready } from '../../fixtures/requests.ts';
import { newShipment, type Shipment, upload } from '../../fixtures/shipments.ts';
import { test as base, newAccount, type TestAccount } from '../../fixtures/test.ts';
import { newToken } from './accesses.ts';

type Detail = NonNullable<AccessRequest['detail']>;
const details: Detail[] = ['status', 'location', 'proof'];

const id = expect.stringMatching(/^\w+$/);
const time = expect.stringMatching(/Z$/);
const url = expect.stringMatching(/\/files\//);

// What each level shows, written by hand: of a delivered shipment whose every text names its secret.
const timelineOf = (descriptions: string[]) =>
  ['scheduled', 'dispatched', 'picked_up', 'in_transit', 'delivered'].map((status, index) => ({
    status,
    timestamp: time,
    description: descriptions[index],
  }));
const defaults = ['Shipment created', 'Driver assigned', 'Picked up from the origin'];
const onTheWay = 'On the way to the destination';
const leftMosesLake = 'secret text: left Moses Lake';
const currentLocation = { lat: 47.13, lng: -119.28, address: 'secret place: Moses Lake', updated_at: time };
const shortException = {
  id,
  code: 'refused',
  severity: 'high',
  responsible_party: 'consignee',
  next_steps: ['reschedule', 'return'],
  shipment_status: 'in_transit',
  occurred_at: time,
  eta: '2030-01-01T00:00:00.000Z',
  photo_count: 1,
  resolved_at: time,
};
const exceptionPlace = { lat: 47.66, lng: -119.42, address: 'secret place: gate 4' };
const wholeException = {
  ...shortException,
  description: 'secret text: two crates are wet',
  location: exceptionPlace,
  resolution: 'secret text: repacked',
};
const exceptionAt = (detail: Detail): object => (detail === 'status' ? shortException : wholeException);
const trackingAt = (detail: Detail, { tracking_number }: Shipment) => ({
  tracking_number,
  status: 'delivered',
  eta: '2030-01-01T00:00:00.000Z',
  current_location: detail === 'status' ? null : { ...currentLocation, ...exceptionPlace },
  timeline: timelineOf([...defaults, detail === 'status' ? onTheWay : leftMosesLake, 'Delivered']),
  exceptions: [exceptionAt(detail)],
});
const refused = { status: 403, code: 'insufficient_scope' };

/** Delivers a shipment; each text that a person has written contains `secret`. */
async function deliver({ client }: TestAccount): Promise<{ shipment: Shipment; exceptionId: string }> {
  const shipment = await newShipment({ client });
  const { tracking_number } = shipment;
  const { updated_at: _, ...location } = currentLocation;
  for (const status of ['dispatched', 'picked_up'] as const)
    await client.recordTrackingEvent({ tracking_number, status, timestamp: new Date() });
  await client.recordTrackingEvent({
    tracking_number,
    status: 'in_transit',
    timestamp: new Date(),
    description: leftMosesLake,
    location,
  });
  const raised = await client.raiseException({
    tracking_number,
    code: 'refused',
    occurred_at: new Date(),
    description: wholeException.description,
    eta: '2030-01-01T00:00:00Z',
    location: exceptionPlace,
    photos: [await upload({ client }, tracking_number, 'photo')],
  });
  const path = { tracking_number, exception_id: raised.id };
  await client.resolveException({ ...path, resolved_at: new Date(), resolution: 'secret text: repacked' });
  await client.submitProofOfDelivery({
    tracking_number,
    delivered_at: new Date(),
    signed_by: 'secret person',
    location: { lat: 1, lng: 2 },
    signature: await upload({ client }, tracking_number, 'signature'),
  });
  return { shipment: await client.getShipment({ shipment_id: shipment.id }), exceptionId: raised.id };
}

const test = base.extend<{ $file: { owner: TestAccount; delivered: Awaited<ReturnType<typeof deliver>> } }>({
  owner: [async ({ service }, use) => use(await newAccount(service)), { scope: 'file' }],
  delivered: [async ({ owner }, use) => use(await deliver(owner)), { scope: 'file' }],
});

/** The response of each read, by detail: a body, or a refusal. */
const reads: Partial<Record<OperationId, (detail: Detail, shipment: Shipment) => object>> = {
  getShipment: (_detail, shipment) => shipment, // its scope shows the whole shipment
  getTracking: trackingAt,
  getException: (detail) => ({ ...exceptionAt(detail), photos: detail === 'proof' ? [url] : [] }),
  listPositions: (detail) => {
    const data = [currentLocation, { ...exceptionPlace, updated_at: time }];
    return detail === 'status' ? refused : { data, has_more: false, next_cursor: null };
  },
  listProofUploads: () => ({ data: [] }),
  getProofOfDelivery: (detail, { tracking_number }) => {
    const proof = { signed_by: 'secret person', signature_url: url, photos: [], location: { lat: 1, lng: 2 } };
    return detail === 'proof' ? { tracking_number, delivered_at: time, ...proof } : refused;
  },
};

/** What a detail must not show, wherever it is. */
const secrets: Record<Detail, RegExp | undefined> = {
  status: /secret|"lat"|files\//,
  location: /person|files\//,
  proof: undefined,
};

describe.each(details)('the detail %s', (detail) => {
  test.for(Object.keys(reads) as (keyof typeof reads)[])(
    `%s shows what ${detail} shows`,
    async (name, { service, owner, delivered }) => {
      const { shipment, exceptionId } = delivered;
      const path = { shipment_id: shipment.id, tracking_number: shipment.tracking_number, exception_id: exceptionId };
      const key = await newToken(owner, shipment, { detail });
      const { status, code, body } = await receive(await send(service.baseUrl, operationOf(name), { key, path }));
      const expected = reads[name]?.(detail, shipment);
      expect(status === 200 ? body : { status, code }).toEqual(expected);
      if (name !== 'getShipment' && secrets[detail]) expect(JSON.stringify(body)).not.toMatch(secrets[detail]);
      await owner.client.deleteAccess({ shipment_id: shipment.id, access_id: key.replace(/^wba(_\w{26}).*/, 'acc$1') });
    },
  );

  /** The bodies of writes, by detail. */
  const writes: Partial<Record<OperationId, object>> = {
    recordTrackingEvent: {
      tracking_number: id,
      status: 'dispatched',
      eta: null,
      exceptions: undefined,
      current_location: detail === 'status' ? null : currentLocation,
      timeline: timelineOf(['Shipment created', detail === 'status' ? 'Driver assigned' : 'secret text']).slice(0, 2),
    },
    recordPositions: { accepted: 1 },
    raiseException: {
      id,
      code: 'facility_delay',
      severity: 'low',
      responsible_party: 'consignee',
      next_steps: ['wait'],
      shipment_status: 'dispatched',
      occurred_at: time,
      photo_count: 0,
      ...(detail !== 'status' && { description: 'secret text' }),
    },
    resolveException: {
      id,
      code: 'nobody_there',
      severity: 'medium',
      responsible_party: 'consignee',
      shipment_status: 'in_transit',
      next_steps: ['reschedule', 'return'],
      occurred_at: time,
      eta: time,
      photo_count: 0,
      resolved_at: time,
      ...(detail !== 'status' && {
        description: 'The gate is closed.',
        resolution: 'secret text',
        location: { lat: 47.66, lng: -117.42, address: '77 Foundry Street' },
      }),
    },
    createProofUpload: {
      upload_id: id,
      upload_url: expect.stringMatching(/\/uploads\//),
      method: 'PUT',
      expires_at: time,
      headers: { 'Content-Type': 'image/png' },
    },
    // What the caller has sent itself.
    submitProofOfDelivery: {
      tracking_number: expect.any(String),
      delivered_at: time,
      signed_by: 'Owen Castillo',
      signature_url: url,
      photos: [url],
      location: { lat: 47.6588, lng: -117.426 },
    },
  };
  const sentTexts: Partial<Record<OperationId, object>> = {
    recordTrackingEvent: {
      description: 'secret text',
      location: { lat: currentLocation.lat, lng: currentLocation.lng, address: currentLocation.address },
    },
    recordPositions: { positions: [newPosition()] },
    raiseException: { description: 'secret text', photos: [] },
    resolveException: { resolution: 'secret text' },
  };

  test.for(Object.keys(writes) as (keyof typeof writes)[])(
    `%s returns what ${detail} shows`,
    async (name, { service, account }) => {
      const { path, body } = await ready(name, account);
      const [shipment] = (await account.client.listShipments({ tracking_number: path.tracking_number })).data;
      const key = await newToken(account, shipment ?? expect.unreachable(), { detail });
      const sent = { path, body: { ...body, ...sentTexts[name] } };
      if (name === 'createProofUpload') sent.body = { ...body, content_type: 'image/png' };
      const received: Received = await receive(await send(service.baseUrl, operationOf(name), { key, ...sent }));
      expect([200, 201]).toContain(received.status);
      const tracking = name === 'recordTrackingEvent' && { tracking_number: path.tracking_number };
      expect(received.body).toEqual({ ...writes[name], ...tracking });
    },
  );
});
