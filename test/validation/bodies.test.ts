import { expect } from 'vitest';
import { problemOf } from '../fixtures/http.ts';
import type { Service } from '../fixtures/service.ts';
import { newShipment, shipmentRequest } from '../fixtures/shipments.ts';
import { type TestAccount, test } from '../fixtures/test.ts';

interface Fault {
  pointer: string;
  code: string;
  /** Replaces the value at the pointer. */
  value: unknown;
}

/** A copy of `body` with the value at a JSON pointer replaced. */
function planted(body: object, { pointer, value }: Pick<Fault, 'pointer' | 'value'>): unknown {
  const copy = structuredClone(body) as Record<string, unknown>;
  const keys = pointer.slice(1).split('/');
  const last = keys.pop() ?? '';
  const parent = keys.reduce((node, key) => node[key] as Record<string, unknown>, copy);
  parent[last] = value;
  return copy;
}

async function post(service: Service, { key }: TestAccount, path: string, body: unknown) {
  return fetch(service.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const fault = (pointer: string, code: string, ...values: unknown[]): Fault[] =>
  values.map((value) => ({ pointer, code, value }));

const textFaults = (pointer: string, max: number): Fault[] => [
  ...fault(pointer, 'wrong_type', 5, null, ['a'], { a: 1 }, true),
  ...fault(pointer, 'too_long', 'x'.repeat(max + 1)),
  ...fault(pointer, 'invalid_format', 'a\0b', '\ud800', 'a\udc00b'),
];
const timeFaults = (pointer: string): Fault[] => [
  ...fault(pointer, 'wrong_type', 1_772_000_000, null),
  ...fault(
    pointer,
    'invalid_format',
    '2026-03-03T16:00:00', // naive
    '2026-03-03', // not a time
    '2026-02-30T16:00:00Z', // impossible
    '2026-03-03T25:00:00Z',
    '2026-03-03T16:00:60Z', // a leap second that JavaScript cannot keep
    '0000-01-01T00:00:00Z', // PostgreSQL has no year 0
    '9999-12-31T23:59:59-01:00', // becomes a year of five digits
    '+002026-03-03T16:00:00Z',
    '2026-03-03 16:00:00Z',
    '2999-12-31T23:59:59-01:00', // is in the year 3000
    '1000-01-01T00:00:00+01:00',
    'soon',
    '',
  ),
];

const shipmentFaults: Fault[] = [
  ...fault('/type', 'not_allowed', 'parcel', '', 'FREIGHT'),
  ...fault('/origin', 'wrong_type', null, 'Seattle', []),
  ...textFaults('/origin/address', 200),
  ...textFaults('/destination/city', 100),
  ...textFaults('/destination/contact_name', 100),
  ...fault('/origin/zip', 'too_short', ''),
  ...fault('/origin/country', 'unknown_field', 'US'),
  ...fault('/id', 'unknown_field', 'ship_01kjpx8p02fabr24pa3eywnyp2'),
  ...timeFaults('/pickup_window/start'),
  ...timeFaults('/pickup_window/end'),
  ...fault(
    '/pickup_window/end',
    'out_of_order',
    '2026-03-03T16:00:00Z',
    '2026-03-03T15:59:59Z',
    '2026-03-03T16:00:00+02:00',
  ),
  ...textFaults('/notes', 2000),
];

test.for(shipmentFaults)(
  'createShipment returns 400 for $value at $pointer and creates nothing',
  async (planting, { service, account }) => {
    const response = await post(service, account, '/shipments', planted(shipmentRequest(), planting));
    const { pointer, code } = planting;
    expect(await problemOf(response)).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ in: 'body', pointer, code }],
    });
    expect((await account.client.listShipments()).data.data).toEqual([]);
  },
);

const event = () => ({ status: 'dispatched', timestamp: new Date().toISOString(), location: { lat: 1, lng: 2 } });
const minutes = (count: number): string => new Date(Date.now() + count * 60_000).toISOString();

const eventFaults: Fault[] = [
  ...fault('/status', 'not_allowed', 'delivered', 'cancelled', 'scheduled', 'lost'),
  ...timeFaults('/timestamp'),
  ...fault('/timestamp', 'too_far_ahead', minutes(6), '2150-01-01T00:00:00Z'),
  ...fault('/timestamp', 'out_of_order', minutes(-6), '1999-01-01T00:00:00Z'),
  ...textFaults('/description', 500),
  ...fault('/location/lat', 'out_of_range', 90.0001, -91, 1e300),
  ...fault('/location/lng', 'out_of_range', 180.1, -181),
  ...fault('/location/lat', 'wrong_type', '47', null, true),
  ...fault('/location/altitude', 'unknown_field', 3),
  ...timeFaults('/eta'),
];

test.for(eventFaults)(
  'recordTrackingEvent returns 400 for $value at $pointer and stores nothing',
  async (planting, { service, account }) => {
    const { tracking_number } = await newShipment(account);
    const before = (await account.client.getTracking({ path: { tracking_number } })).data;
    const response = await post(service, account, `/tracking/${tracking_number}/events`, planted(event(), planting));
    const { pointer, code } = planting;
    expect(await problemOf(response)).toMatchObject({ status: 400, errors: [{ in: 'body', pointer, code }] });
    expect((await account.client.getTracking({ path: { tracking_number } })).data).toEqual(before);
  },
);

test('recordTrackingEvent returns 400 for a number too large for JSON and for __proto__', async ({
  service,
  account,
}) => {
  const { tracking_number } = await newShipment(account);
  const send = (body: string) =>
    fetch(`${service.baseUrl}/tracking/${tracking_number}/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      body,
    });
  const start = `{"status":"dispatched","timestamp":"${new Date().toISOString()}"`;
  const huge = await problemOf(await send(`${start},"location":{"lat":1e400,"lng":0}}`));
  expect(huge.errors?.map(({ pointer }) => pointer)).toContain('/location/lat');
  const proto = await problemOf(await send(`${start},"__proto__":{"admin":true}}`));
  expect(proto.errors?.[0]).toMatchObject({ pointer: '/__proto__', code: 'unknown_field' });
});

test('createShipment stores text unchanged and timestamps in UTC', async ({ account }) => {
  const notes = ' \t\r\n"\\/ Zürich 北京 👩‍👩‍👧 \u202E \uFEFF \u007f é e\u0301 <b>&amp; ';
  const body = { ...shipmentRequest(), notes };
  body.origin.contact_name = '👷'.repeat(100);
  body.pickup_window = { start: '2026-03-03T16:00:00.123456+05:30', end: '2026-03-03t20:00:00z' };
  const made = (await account.client.createShipment({ body })).data;
  const read = (await account.client.getShipment({ path: { shipment_id: made.id } })).data;
  expect(read).toEqual(made);
  expect(read).toMatchObject({ notes, origin: body.origin, destination: body.destination });
  expect(read.pickup_window).toEqual({ start: '2026-03-03T10:30:00.123Z', end: '2026-03-03T20:00:00.000Z' });
});
