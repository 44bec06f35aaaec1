import { expect } from 'vitest';
import { notTimestamps, timestampsOutOfRange } from '../../contract/fuzz/timestamps.ts';
import { post } from '../../fixtures/requests/post.ts';
import type { Problem } from '../../fixtures/requests/send.ts';
import { newShipment, shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';

const { origin, pickup_window } = shipmentRequest();
const item = { description: 'Tiles', pieces: 1, weight: { value: 1, unit: 'kg' } };
const withItem = (more: object) => ({ items: [item, { ...item, ...more }] });
const reference = { type: 'order', value: '7' };
const withStart = (start: unknown) => ({ pickup_window: { ...pickup_window, start } });

// contract/fuzz sends values beyond every limit of every field. These codes are written by hand.
test('createShipment returns 400 with the code of the error', async ({ service, account }) => {
  for (const [pointer, code, fields] of [
    ['/type', 'not_allowed', { type: 'FREIGHT' }],
    ['/origin', 'wrong_type', { origin: null }],
    ['/origin/zip', 'too_short', { origin: { ...origin, zip: '' } }],
    ['/origin/county', 'unknown_field', { origin: { ...origin, county: 'King' } }],
    ['/notes', 'too_long', { notes: 'x'.repeat(2001) }],
    ['/notes', 'invalid_format', { notes: 'a\udc00b' }],
    ['/pickup_window/end', 'out_of_order', { pickup_window: { ...pickup_window, end: '2026-03-02T16:00:00+02:00' } }],
    ['/pickup_window/start', 'wrong_type', withStart(1_772_000_000)],
    ['/items/1/weight/unit', 'required', withItem({ weight: { value: 1 } })],
    ['/items/1/dimension_unit', 'required', withItem({ height: 0.5 })],
    ['/items/1/freight_class', 'not_allowed', withItem({ freight_class: 77 })],
    ['/items/1/hazmat/id', 'invalid_format', withItem({ hazmat: { id: 'UN123' } })],
    ['/declared_value/amount', 'invalid_format', { declared_value: { amount: '1,50', currency: 'USD' } }],
    ['/references/1/toString', 'unknown_field', { references: [reference, { ...reference, toString: 'x' }] }],
    ['/temperature/min', 'required', { temperature: { unit: 'F' } }],
    ['/temperature/max', 'out_of_range', { temperature: { min: 0, max: -0.1, unit: 'C' } }],
    ...['2026-03-03', ...notTimestamps, ...timestampsOutOfRange].map(
      (text) => ['/pickup_window/start', 'invalid_format', withStart(text)] as const,
    ),
  ] as const) {
    const sent = { path: '/shipments', body: { ...shipmentRequest(), ...fields } };
    const body = { code: 'invalid_request', errors: [{ in: 'body', pointer, code }] };
    expect(await post(service, account, sent), JSON.stringify(fields)).toMatchObject({ status: 400, body });
  }
});

test('an address needs the state and the zip that the postal format of its country has', async ({
  service,
  account,
}) => {
  const place = { address: '211 Canton Road', city: 'Town' };
  const errorsOf = (pointers: string[]) =>
    pointers.map((pointer) => ({ in: 'body', pointer: `/destination/${pointer}`, code: 'required' }));
  const create = (destination: object) =>
    post(service, account, { path: '/shipments', body: { ...shipmentRequest(), destination } });
  for (const [fields, missing] of [
    [{ country: 'HK' }, []],
    [{ country: 'DE' }, ['zip']],
    [{ country: 'GB', zip: 'not of its form' }, []],
    [{ country: 'JP', zip: '150-8010' }, []],
    ...['AU', 'BR', 'CA', 'MX', 'US'].map((country) => [{ country }, ['state', 'zip']] as const),
    [{}, ['state', 'zip']],
    [{ state: 'WA', zip: null, country: null }, ['zip']],
  ] as const) {
    const problem = { status: 400, body: { code: 'invalid_request', errors: errorsOf([...missing]) } };
    const expected = missing.length === 0 ? { status: 201 } : problem;
    expect(await create({ ...place, ...fields }), JSON.stringify(fields)).toMatchObject(expected);
  }
  const detail = 'is required: the postal format of US, which is the default, has it';
  expect((await create(place)).body).toMatchObject({ errors: [{}, { detail }] });

  // The same of an address after a change.
  const { client } = account;
  const { id: shipment_id } = await newShipment(account, { destination: { ...place, country: 'HK' } });
  for (const [change, missing] of [
    [{ country: 'CA' }, ['state', 'zip']],
    [{ country: null, zip: '98101' }, ['state']],
    [{ country: 'CA', state: 'BC', zip: 'V5Z 2V1' }, []],
    [{ zip: null }, ['zip']],
    [{ country: 'HK', state: null, zip: null }, []],
  ] as const) {
    const update = client.updateShipment({ shipment_id, destination: change });
    if (missing.length > 0) {
      const expected = { status: 400, code: 'invalid_request', errors: errorsOf([...missing]) };
      await expect(update, JSON.stringify(change)).rejects.toMatchObject(expected);
    } else await update;
  }
  expect((await client.getShipment({ shipment_id })).destination).toEqual({ ...place, country: 'HK' });
});

// contract/fuzz sends text of all characters, which is stored unchanged.
test('createShipment stores timestamps in UTC', async ({ account }) => {
  const given = { start: '2026-03-03T16:00:00.0094610628712+05:30', end: '2026-03-03t20:00:00z' };
  const inUtc = { start: '2026-03-03T10:30:00.009Z', end: '2026-03-03T20:00:00.000Z' };
  const appointment = { start: given.end, end: given.end };
  const made = await newShipment(account, { pickup_window: given, delivery_window: appointment });
  expect(made).toMatchObject({ pickup_window: inUtc, delivery_window: { start: inUtc.end, end: inUtc.end } });
  expect(await account.client.getShipment({ shipment_id: made.id })).toEqual(made);
});

test('createShipment refuses unreadable text, and in a line what would turn or end it', async ({
  service,
  account,
}) => {
  const create = (text: string, notes = text) => {
    const body = { ...shipmentRequest(), origin: { ...origin, address: text }, notes };
    return post(service, account, { path: '/shipments', body });
  };
  const detail =
    'must have a visible character, and no control characters, line breaks or characters that override the direction';
  const address = { in: 'body', pointer: '/origin/address', code: 'invalid_format', detail };
  const blanks = [' ', '    ', '\t', '\u0301', '\u{e0041}', '\u{e0100}', '\ue000', '\u200b \u3164\u0301'];
  for (const blank of [...blanks, ...'\u00a0\u200b\u3000\ufeff\u00ad\u2800\u3164\u115f\uffa0\ufe0f']) {
    const { status, body } = await create(blank);
    const errors = [address, { in: 'body', pointer: '/notes', code: 'invalid_format' }];
    expect({ status, body }, JSON.stringify(blank)).toMatchObject({ status: 400, body: { errors } });
  }
  for (const text of ['-', '👷', 'م‌ی', ' a', '\u200fאבג', '\u3164b', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])
    expect(await create(text)).toMatchObject({ status: 201 });
  for (const sign of '\n\r\t\u0001\u001b\u007f\u0085\u009b\u2028\u2029\u202a\u202d\u202e\u2066\u2069\u206f') {
    for (const line of [`Owen${sign}Castillo`, `${sign}Owen`, `Owen${sign}`])
      expect((await create(line)).body, JSON.stringify(line)).toMatchObject({ status: 400, errors: [address] });
    expect(await create('Owen', `a${sign}b`)).toMatchObject({ status: 201 });
  }
  for (const notes of ['a\0', '\0a'])
    expect((await create('Owen', notes)).body).toMatchObject({ status: 400, errors: [{ pointer: '/notes' }] });
});

const listOf = (length: number, item: (index: number) => unknown): unknown[] =>
  Array.from({ length }, (_, index) => item(index));
const unknownFields = (length: number): object =>
  Object.fromEntries(listOf(length, (index) => [`field${index}`, index]) as [string, number][]);
const nested = (depth: number): string => `{"reason":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

test('a body that is malformed, too deep or too long is refused before its fields', async ({ service, account }) => {
  const { id } = await newShipment(account);
  const cancel = (body: string) => post(service, account, { path: `/shipments/${id}/cancel`, body });
  for (const [body, detail] of [
    [JSON.stringify(unknownFields(20_000)), 'The body has more than 120 values.'],
    [JSON.stringify({ reason: listOf(20_000, () => ({})) }), 'more than 120 values'],
    [nested(11), 'The body is nested more than 10 levels deep.'],
    [nested(300_000), 'The body is nested more than 10 levels deep.'],
    ['{"reason":"a","reason":"b"}', 'two members with the same name'],
    ['{"reason":"a","\\u0072eason":"b"}', 'two members with the same name'],
    ['{"reason":[{"a":1,"a":1}]}', 'two members with the same name'],
    ['{"__proto__":1,"__proto__":2}', 'two members with the same name'],
    ['{"reason":"a', 'The body is not valid JSON.'],
  ] as const) {
    const expected = { status: 400, code: 'malformed_request', detail: expect.stringContaining(detail) };
    expect((await cancel(body)).body, body.slice(0, 40)).toMatchObject(expected);
  }
  const { body } = await cancel(JSON.stringify({ reason: 'a', ...unknownFields(60) }));
  const first50 = listOf(50, (index) => `/field${index}`);
  expect((body as Problem).errors?.map(({ pointer }) => pointer)).toEqual(first50);
  // JSON.parse makes Infinity of the number, and a member of the prototype.
  const { body: problem } = await cancel('{"reason":1e400,"__proto__":{"admin":true}}');
  const errors = (problem as Problem).errors?.map(({ pointer, code }) => `${pointer} ${code}`).sort();
  expect(errors).toEqual(['/__proto__ unknown_field', '/reason wrong_type']);
  expect((await cancel(JSON.stringify({ reason: '{[,:"\\'.repeat(80) }))).status).toBe(200);

  const { tracking_number } = await shipmentIn(account, 'dispatched');
  for (const positions of [listOf(101, () => ({})), listOf(5000, () => 0)]) {
    const path = `/tracking/${tracking_number}/positions`;
    const refused = await post(service, account, { path, body: { positions, eta: 'soon' } });
    const tooLong = { in: 'body', pointer: '/positions', code: 'too_long', detail: 'must have at most 100 items' };
    expect((refused.body as Problem).errors).toEqual([tooLong]);
  }
});
