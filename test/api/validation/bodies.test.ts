import { expect } from 'vitest';
import { notTimestamps, timestampsOutOfRange } from '../../contract/fuzz/timestamps.ts';
import { operationOf, pathOf } from '../../fixtures/contract.ts';
import { type Problem, receive } from '../../fixtures/http.ts';
import { uniquePng } from '../../fixtures/images.ts';
import { post } from '../../fixtures/post.ts';
import { newPosition, newUploadUrl, ready } from '../../fixtures/requests.ts';
import { newShipment, shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';

const { origin, pickup_window } = shipmentRequest();
const withNotes = (notes: unknown) => ({ notes });
const withStart = (start: unknown) => ({ pickup_window: { ...pickup_window, start } });
const withEnd = (end: unknown) => ({ pickup_window: { ...pickup_window, end } });

type Row = [pointer: string, code: string, fields: object];

// contract/fuzz sends values beyond every limit of every field. These codes are written by hand.
test.for<Row>([
  ['/type', 'not_allowed', { type: 'FREIGHT' }],
  ['/type', 'wrong_type', { type: 5 }],
  ['/origin', 'wrong_type', { origin: null }],
  ['/origin/zip', 'too_short', { origin: { ...origin, zip: '' } }],
  ['/origin/county', 'unknown_field', { origin: { ...origin, county: 'King' } }],
  ['/notes', 'wrong_type', withNotes(true)],
  ['/notes', 'too_long', withNotes('x'.repeat(2001))],
  ['/notes', 'invalid_format', withNotes('a\0b')],
  ['/notes', 'invalid_format', withNotes('a\udc00b')],
  ['/pickup_window/end', 'out_of_order', withEnd('2026-03-02T16:00:00Z')],
  ['/pickup_window/end', 'out_of_order', withEnd('2026-03-02T16:00:00+02:00')],
  ['/pickup_window/start', 'wrong_type', withStart(1_772_000_000)],
  ['/pickup_window/start', 'invalid_format', withStart('2026-03-03')],
  ...[...notTimestamps, ...timestampsOutOfRange].map(
    (text): Row => ['/pickup_window/start', 'invalid_format', withStart(text)],
  ),
])('createShipment returns 400 with %s %s for %j', async ([pointer, code, fields], { service, account }) => {
  const { status, body } = await post(service, account, {
    path: '/shipments',
    body: { ...shipmentRequest(), ...fields },
  });
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'invalid_request', errors: [{ in: 'body', pointer, code }] });
  expect((await account.client.listShipments()).data).toEqual([]);
});

test.for([
  ['/location/lat', 'wrong_type', '"location":{"lat":1e400,"lng":0}'], // too large for JSON.parse
  ['/__proto__', 'unknown_field', '"__proto__":{"admin":true}'],
] as const)(
  'recordTrackingEvent returns 400 with %s %s for %s',
  async ([pointer, code, member], { service, account }) => {
    const { tracking_number } = await newShipment(account);
    const body = `{"status":"dispatched","timestamp":"${new Date().toISOString()}",${member}}`;
    const response = await post(service, account, { path: `/tracking/${tracking_number}/events`, body });
    expect(response.body).toMatchObject({ status: 400, errors: [{ in: 'body', pointer, code }] });
  },
);

test('recordTrackingEvent returns 400 out_of_order for a timestamp more than 5 minutes before the previous one', async ({
  account,
}) => {
  const { client } = account;
  const { tracking_number } = await newShipment(account);
  const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  const record = (timestamp: string) =>
    client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp });
  const errors = [{ in: 'body', pointer: '/timestamp', code: 'out_of_order' }];
  await expect(record(minutesAgo(6))).rejects.toMatchObject({ code: 'invalid_request', problem: { errors } });
  const { timeline } = await record(minutesAgo(4));
  expect(timeline.map((entry) => entry.description)).toEqual(['Shipment created', 'Driver assigned']);
});

test.for(['rotateWebhookSecret', 'sendTestWebhook', 'resendWebhookDelivery'] as const)(
  '%s without a body is the same request as with an empty object',
  async (id, { service, account }) => {
    const url = service.baseUrl + pathOf(operationOf(id), (await ready(id, account)).path);
    const headers = { authorization: `Bearer ${account.key}`, 'idempotency-key': 'key' };
    const json = { ...headers, 'content-type': 'application/json' };
    const first = await receive(await fetch(url, { method: 'POST', headers }));
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([
      id.startsWith('rotate') ? 200 : 202,
      null,
    ]);
    for (const init of [{ headers }, { headers: json }, { headers: json, body: '{}' }]) {
      const repeated = await receive(await fetch(url, { method: 'POST', ...init }));
      expect(repeated.body).toEqual(first.body);
      expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    }
  },
);

const chunked = (): RequestInit => ({ body: new Blob([]).stream(), duplex: 'half' }) as RequestInit;
const emptyBodies: [name: string, type: string | undefined, init: () => RequestInit][] = [
  ['no length and a type', 'text/plain', () => ({})],
  ['a length of 0 and no type', undefined, () => ({ body: new Uint8Array() })],
  ['a length of 0 and the type of a form', 'application/x-www-form-urlencoded', () => ({ body: '' })],
  ['a length of 0 and an invalid type', 'json', () => ({ body: '' })],
  ['a length of 0 and JSON', 'application/json', () => ({ body: '' })],
  ['no chunk and no type', undefined, chunked],
  ['no chunk and the type of text', 'text/plain', chunked],
  ['no chunk and JSON', 'application/json', chunked],
];

test.for(emptyBodies)('a body of 0 bytes with %s is no body', async ([, type, init], { service, account }) => {
  const { client, key } = account;
  const { id } = await client.createWebhookEndpoint({ url: 'https://hooks.example.com/' });
  const shipment = await newShipment(account);
  const post = async (path: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-encoding': 'gzip' };
    const typed = type === undefined ? headers : { ...headers, 'content-type': type };
    return receive(await fetch(service.baseUrl + path, { method: 'POST', headers: typed, ...init() }));
  };
  expect(await post(`/webhook_endpoints/${id}/rotate_secret`)).toMatchObject({ status: 200 });
  expect(await post(`/shipments/${shipment.id}/cancel`)).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', detail: 'body is required.' },
  });
});

test('putProofFile returns 400 without a body and a type', async ({ service, account }) => {
  const upload = await newUploadUrl(account, uniquePng('missing'));
  for (const init of [{}, { body: new Uint8Array() }, chunked()]) {
    const { status, body } = await receive(await fetch(upload, { method: 'PUT', ...init }));
    expect({ status, body }).toMatchObject({ status: 400, body: { detail: 'body is required.' } });
  }
  expect(await service.files.list(account.id)).toEqual([]);
});

test('createShipment stores text unchanged and timestamps in UTC', async ({ account }) => {
  const notes = ' \t\r\n"\\/ Zürich 北京 👩‍👩‍👧 \u202E \uFEFF \u007f é e\u0301 <b>&amp; ';
  const body = { ...shipmentRequest(), notes };
  body.origin.contact_name = '👷'.repeat(100);
  body.pickup_window = { start: '2026-03-03T16:00:00.0094610628712+05:30', end: '2026-03-03t20:00:00z' };
  const made = await account.client.createShipment(body);
  const read = await account.client.getShipment({ shipment_id: made.id });
  expect(read).toEqual(made);
  expect(read).toMatchObject({ notes, origin: body.origin, destination: body.destination });
  expect(read.pickup_window).toEqual({ start: '2026-03-03T10:30:00.009Z', end: '2026-03-03T20:00:00.000Z' });
});

const blanks = [
  ...[
    ' ',
    '    ',
    '\t',
    '\u00a0',
    '\u200b',
    '\u3000',
    '\ufeff',
    '\u00ad',
    '\u2800',
    '\u3164',
    '\u115f',
    '\uffa0',
    '\ufe0f',
  ],
  ...['\u0301', '\u{e0041}', '\u{e0100}', '\ue000', '\u200b \u3164\u0301'],
];

test('createShipment refuses text that nobody can read', async ({ service, account }) => {
  const request = shipmentRequest();
  const create = (blank: string) =>
    post(service, account, {
      path: '/shipments',
      body: { ...request, origin: { ...request.origin, address: blank }, notes: blank, carrier: { name: blank } },
    });
  for (const blank of blanks) {
    const { status, body } = await create(blank);
    const errors = (body as Problem).errors?.map(({ pointer, code }) => `${pointer} ${code}`);
    expect({ blank, status, errors: errors?.sort() }).toEqual({
      blank,
      status: 400,
      errors: ['/carrier/name invalid_format', '/notes invalid_format', '/origin/address invalid_format'],
    });
  }
  for (const text of ['-', '👷', 'م‌ی', ' a', '\u200fאבג', '\u3164b', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])
    expect(await create(text)).toMatchObject({ status: 201 });
});

test('a single line refuses what would turn or end the text beside it, and notes do not', async ({
  service,
  account,
}) => {
  const send = (notes: string, contact_name: string) => {
    const request = shipmentRequest();
    const body = { ...request, notes, origin: { ...request.origin, contact_name } };
    return post(service, account, { path: '/shipments', body });
  };
  const detail =
    'must have a visible character, and no control characters, line breaks or characters that override the direction';
  for (const sign of '\n\r\t\u0001\u001b\u007f\u0085\u009b\u2028\u2029\u202a\u202d\u202e\u2066\u2069\u206f') {
    for (const contact_name of [`Owen${sign}Castillo`, `${sign}Owen`, `Owen${sign}`]) {
      const errors = [{ in: 'body', pointer: '/origin/contact_name', code: 'invalid_format', detail }];
      expect((await send('a', contact_name)).body, JSON.stringify(sign)).toMatchObject({ status: 400, errors });
    }
    expect(await send(`a${sign}b`, 'Owen')).toMatchObject({ status: 201 });
  }
  for (const malformed of ['a\0', '\0a'])
    expect((await send(malformed, 'Owen')).body).toMatchObject({ status: 400, errors: [{ pointer: '/notes' }] });
});

const listOf = (length: number, item: (index: number) => unknown): unknown[] =>
  Array.from({ length }, (_, index) => item(index));
const unknownFields = (length: number): object =>
  Object.fromEntries(listOf(length, (index) => [`field${index}`, index]) as [string, number][]);
const nested = (depth: number): string => `{"reason":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

test.for([
  ['20,000 unknown fields', JSON.stringify(unknownFields(20_000)), 'The body has more than 120 values.'],
  ['a list of 20,000 objects', JSON.stringify({ reason: listOf(20_000, () => ({})) }), 'more than 120 values'],
  ['11 levels', nested(11), 'The body is nested more than 10 levels deep.'],
  ['300,000 levels', nested(300_000), 'The body is nested more than 10 levels deep.'],
  ['a member twice', '{"reason":"a","reason":"b"}', 'two members with the same name'],
  ['a member twice, once escaped', '{"reason":"a","\\u0072eason":"b"}', 'two members with the same name'],
  ['an inner member twice', '{"reason":[{"a":1,"a":1}]}', 'two members with the same name'],
  ['__proto__ twice', '{"__proto__":1,"__proto__":2}', 'two members with the same name'],
  ['a string without an end', '{"reason":"a', 'The body is not valid JSON.'],
  ['a string that ends with a backslash', '{"reason":"a\\', 'The body is not valid JSON.'],
] as const)('cancelShipment returns 400 malformed_request for %s', async ([, body, detail], { service, account }) => {
  const { id } = await newShipment(account);
  const response = await post(service, account, { path: `/shipments/${id}/cancel`, body });
  expect(response.body).toMatchObject({
    status: 400,
    code: 'malformed_request',
    detail: expect.stringContaining(detail),
  });
});

test('cancelShipment returns the first 50 of 60 unknown fields', async ({ service, account }) => {
  const { id } = await newShipment(account);
  const body = JSON.stringify({ reason: 'a', ...unknownFields(60) });
  const response = await post(service, account, { path: `/shipments/${id}/cancel`, body });
  expect((response.body as Problem).errors?.map(({ pointer }) => pointer)).toEqual(
    listOf(50, (index) => `/field${index}`),
  );
});

test('cancelShipment accepts a reason full of JSON syntax', async ({ service, account }) => {
  const { id } = await newShipment(account);
  const body = JSON.stringify({ reason: '{[,:"\\'.repeat(80) });
  expect((await post(service, account, { path: `/shipments/${id}/cancel`, body })).status).toBe(200);
});

test.for([
  ['101 empty objects', 101, (): object => ({})],
  ['1,000 valid positions', 1000, (): object => newPosition()],
  ['5,000 numbers', 5000, (): number => 0],
] as const)('recordPositions returns too_long for %s', async ([, length, item], { service, account }) => {
  const { tracking_number } = await shipmentIn(account, 'dispatched');
  const body = JSON.stringify({ positions: listOf(length, item), eta: 'soon' });
  const response = await post(service, account, { path: `/tracking/${tracking_number}/positions`, body });
  expect((response.body as Problem).errors).toEqual([
    { in: 'body', pointer: '/positions', code: 'too_long', detail: 'must have at most 100 items' },
  ]);
});
