import { expect } from 'vitest';
import { get, type Problem, problemOf, receive } from '../../fixtures/requests/send.ts';
import { newShipment } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';

const asList = 'once, with its values separated by commas';
const ship = 'ship_01kjpx8p02fabr24pa3eywnyp2';

test('the detail of a problem names the error and its correction', async ({ account, service }) => {
  const detailOf = async (response: Promise<Response>) => (await problemOf(await response)).detail;
  for (const [path, detail] of [
    ['/shipments?limit=101', 'query /limit must be at most 100.'],
    ['/shipments?limit=1&limit=2', 'query /limit must be sent only once.'],
    ['/shipments?status=scheduled&status=delivered', `query /status must be sent ${asList}.`],
    ['/shipments?status[]=scheduled', `query /status[] is unknown: send \`status\` ${asList}.`],
    [`/shipments?status=${Array(21).fill('scheduled')}`, 'query /status must have at most 20 items.'],
    ['/shipments?from_date=2026-11-01T00:00:00+02:00', 'query /from_date must have its `+` encoded as `%2B`.'],
    ['/shipments?from_date=a&limit=0', '2 fields are invalid.'],
    ['/events?after=evt_42', 'query /after must have the form that its description states.'],
    ['/tracking/%20frt-2026-000142%E2%80%8B', '` frt-2026-000142?` is not a tracking number: write `FRT-2026-000142`.'],
    [`/shipments/${ship.toUpperCase()}`, `\`${ship.toUpperCase()}\` is not a shipment id: write \`${ship}\`.`],
    ['/shipments/FRT-2026-000142', '`FRT-2026-000142` is not a shipment id: they begin with `ship_`.'],
    ['/shipments/%1B%5B2J%60%E2%80%AE', '`?[2J??` is not a shipment id: they begin with `ship_`.'],
    [`/shipments/${ship}`, `There is no shipment \`${ship}\`.`],
  ] as const) {
    expect([path, await detailOf(get(service, account, path))]).toEqual([path, detail]);
  }
  expect(await detailOf(fetch(`${service.baseUrl}/shipments`))).toBe(
    'The request has no API key. Send the header `Authorization: Bearer wbk_…`.',
  );
  expect(await detailOf(get(service, { key: '' }, '/shipments'))).toBe(
    'The header Authorization is malformed. Send `Bearer` and the API key, which begins with `wbk_`.',
  );
});

test('of several invalid parts of a request, the contract’s first one is reported', async ({ service, account }) => {
  const { tracking_number } = await newShipment(account);
  const event = { status: 'dispatched', timestamp: new Date().toISOString() };
  let request = {
    authorization: 'Bearer no-key',
    'content-type': 'text/plain',
    'idempotency-key': '',
    number: '-',
    query: '?unknown=1',
    body: '{',
  };
  for (const [correction, expected] of [
    [{}, '401 unauthenticated'],
    [{ authorization: `Bearer ${await account.keyWith(['tracking:read'])}` }, '403 insufficient_scope'],
    [{ authorization: `Bearer ${account.key}` }, '415 unsupported_media_type'],
    [{ 'content-type': 'application/json' }, '400 malformed_request'],
    [{ body: '' }, '404 not_found'],
    [{ number: tracking_number }, '400 invalid_request body '],
    [{ body: '{"status":"dispatched"}' }, '400 invalid_request body /timestamp'],
    [{ body: JSON.stringify(event) }, '400 invalid_request query /unknown'],
    [{ query: '' }, '400 invalid_request headers /idempotency-key'],
    [{ 'idempotency-key': 'key' }, '201 '],
  ] as const) {
    request = { ...request, ...correction };
    const { number, query, body, ...headers } = request;
    const url = `${service.baseUrl}/tracking/${number}/events${query}`;
    const { status, code = '', body: problem } = await receive(await fetch(url, { method: 'POST', headers, body }));
    const errors = (problem as Problem).errors ?? [];
    expect([`${status} ${code}`, ...errors.map((error) => `${error.in} ${error.pointer}`)].join(' ')).toBe(expected);
  }
});
