import { expect } from 'vitest';
import { problemOf } from '../fixtures/http.ts';
import type { Service } from '../fixtures/service.ts';
import { newShipment, shipmentRequest } from '../fixtures/shipments.ts';
import { type TestAccount, test } from '../fixtures/test.ts';

interface InvalidValue {
  pointer: string;
  code: string;
  /** Replaces the value at the pointer. */
  value: unknown;
}

/** A copy of `body` with the value at a JSON pointer replaced. */
function withValue(body: object, { pointer, value }: Pick<InvalidValue, 'pointer' | 'value'>): unknown {
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

const invalid = (pointer: string, code: string, ...values: unknown[]): InvalidValue[] =>
  values.map((value) => ({ pointer, code, value }));

const invalidTexts = (pointer: string, max: number): InvalidValue[] => [
  ...invalid(pointer, 'wrong_type', 5, null, ['a'], { a: 1 }, true),
  ...invalid(pointer, 'too_long', 'x'.repeat(max + 1)),
  ...invalid(pointer, 'invalid_format', 'a\0b', '\ud800', 'a\udc00b'),
];
const invalidTimestamps = (pointer: string): InvalidValue[] => [
  ...invalid(pointer, 'wrong_type', 1_772_000_000, null),
  ...invalid(
    pointer,
    'invalid_format',
    '2026-03-03T16:00:00', // naive
    '2026-03-03', // not a time
    '2026-02-30T16:00:00Z', // impossible
    '2026-03-03T25:00:00Z',
    '2026-03-03T16:00:60Z', // a leap second, which JavaScript cannot represent
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

const invalidShipments: InvalidValue[] = [
  ...invalid('/type', 'not_allowed', 'parcel', '', 'FREIGHT'),
  ...invalid('/origin', 'wrong_type', null, 'Seattle', []),
  ...invalidTexts('/origin/address', 200),
  ...invalidTexts('/destination/city', 100),
  ...invalidTexts('/destination/contact_name', 100),
  ...invalid('/origin/zip', 'too_short', ''),
  ...invalid('/origin/country', 'unknown_field', 'US'),
  ...invalid('/id', 'unknown_field', 'ship_01kjpx8p02fabr24pa3eywnyp2'),
  ...invalidTimestamps('/pickup_window/start'),
  ...invalidTimestamps('/pickup_window/end'),
  ...invalid(
    '/pickup_window/end',
    'out_of_order',
    '2026-03-03T16:00:00Z',
    '2026-03-03T15:59:59Z',
    '2026-03-03T16:00:00+02:00',
  ),
  ...invalidTexts('/notes', 2000),
];

test.for(invalidShipments)(
  'createShipment returns 400 for $value at $pointer and creates nothing',
  async (invalidValue, { service, account }) => {
    const response = await post(service, account, '/shipments', withValue(shipmentRequest(), invalidValue));
    const { pointer, code } = invalidValue;
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

const invalidEvents: InvalidValue[] = [
  ...invalid('/status', 'not_allowed', 'delivered', 'cancelled', 'scheduled', 'lost'),
  ...invalidTimestamps('/timestamp'),
  ...invalid('/timestamp', 'too_far_ahead', minutes(6), '2150-01-01T00:00:00Z'),
  ...invalid('/timestamp', 'out_of_order', minutes(-6), '1999-01-01T00:00:00Z'),
  ...invalidTexts('/description', 500),
  ...invalid('/location/lat', 'out_of_range', 90.0001, -91, 1e300),
  ...invalid('/location/lng', 'out_of_range', 180.1, -181),
  ...invalid('/location/lat', 'wrong_type', '47', null, true),
  ...invalid('/location/altitude', 'unknown_field', 3),
  ...invalidTimestamps('/eta'),
];

test.for(invalidEvents)(
  'recordTrackingEvent returns 400 for $value at $pointer and stores nothing',
  async (invalidValue, { service, account }) => {
    const { tracking_number } = await newShipment(account);
    const before = (await account.client.getTracking({ path: { tracking_number } })).data;
    const response = await post(
      service,
      account,
      `/tracking/${tracking_number}/events`,
      withValue(event(), invalidValue),
    );
    const { pointer, code } = invalidValue;
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
