import { expect } from 'vitest';
import { get, type Problem, problemOf, receive } from '../../fixtures/http.ts';
import { post } from '../../fixtures/post.ts';
import { closedUrl } from '../../fixtures/requests.ts';
import { newShipment, shipmentRequest } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';

const ship = 'ship_01kjpx8p02fabr24pa3eywnyp2';
const whe = 'whe_01kjpx8p02e0n8wk1xmhc3p7vd';
const whd = 'whd_01kjpx8p1pe3br6jq5y2v9s4tg';
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const severalTypes = /^query \/types must be one or more of shipment.created, .+, separated by commas.$/;

test('the detail of a problem names the error and its correction', async ({ account, service }) => {
  const detailOf = async (response: Promise<Response>) => (await problemOf(await response)).detail;
  for (const [path, detail] of [
    ['/shipments?limit=101', 'query /limit must be at most 100.'],
    ['/shipments?limit=ten', 'query /limit must be an integer.'],
    ['/shipments?limit=1&limit=2', 'query /limit must be sent only once.'],
    ['/shipments?limit[]=1', 'query /limit[] is unknown: send `limit` only once.'],
    ['/shipments?limits[]=1', 'query /limits[] is unknown.'],
    ['/shipments?status=a&status=b', 'query /status must be sent once, with its values separated by commas.'],
    ['/shipments?status[]=a', 'query /status[] is unknown: send `status` once, with its values separated by commas.'],
    ['/shipments?status=delivered,+Cancelled', 'query /status must be written as `delivered,cancelled`.'],
    ['/shipments?has_exception=True', 'query /has_exception must be true.'],
    ['/shipments?from_date=2026-11-01T00:00:00+02:00', 'query /from_date must have its `+` encoded as `%2B`.'],
    ['/shipments?to_date=2026-11-01T00:00:00.5+0200', 'query /to_date must have its `+` encoded as `%2B`.'],
    ['/shipments?from_date=1', 'query /from_date must be a date (YYYY-MM-DD) or a date-time with an offset.'],
    ['/shipments?from_date=a&limit=0', '2 fields are invalid.'],
    ['/events?after=42', 'query /after must begin with `evt_`.'],
    ['/events?after=evt_42', 'query /after must have the form that its description states.'],
    ['/events?types=moved', expect.stringMatching(severalTypes)],
    ['/tracking/%20frt-2026-000142%E2%80%8B', '` frt-2026-000142?` is not a tracking number: write `FRT-2026-000142`.'],
    [`/shipments/${ship.toUpperCase()}`, `\`${ship.toUpperCase()}\` is not a shipment id: write \`${ship}\`.`],
    ['/shipments/FRT-2026-000142', '`FRT-2026-000142` is not a shipment id: they begin with `ship_`.'],
    ['/shipments/ship_142', `\`ship_142\` is not a shipment id: they have the form of \`${ship}\`.`],
    [`/tracking/${ship}`, `\`${ship}\` is not a tracking number: they have the form of \`FRT-2026-000142\`.`],
    ['/shipments/%1B%5B2J%60%E2%80%AE', '`?[2J??` is not a shipment id: they begin with `ship_`.'],
    [`/shipments/${'x'.repeat(400)}`, `\`${'x'.repeat(100)}\` is not a shipment id: they begin with \`ship_\`.`],
    [`/shipments/${ship}`, `There is no shipment \`${ship}\`.`],
    ['/tracking/FRT-1999-000142/positions', 'There is no shipment `FRT-1999-000142`.'],
    [`/webhook_endpoints/${whe}`, `There is no webhook endpoint \`${whe}\`.`],
    ['/files/token', 'There is nothing at this URL.'],
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

test('the detail of a problem of a body names the error and its correction', async ({ account, service }) => {
  const { tracking_number } = await newShipment(account);
  const { id } = await account.client.createWebhookEndpoint({ url: closedUrl });
  const send = (path: string, body: unknown) => post(service, account, { path, body });
  const file = { kind: 'photo', content_type: 'image/png', size: 1, sha256: 'unknown' };
  const late = { status: 'dispatched', timestamp: new Date(Date.now() + 3_600_000) };
  const withNull = { ...shipmentRequest(), notes: null };
  for (const [path, body, detail] of [
    [`/webhook_endpoints/${id}/deliveries/${whd}/resend`, {}, `There is no delivery \`${whd}\`.`],
    [`/tracking/${tracking_number}/events`, late, 'body /timestamp must not be more than 5 minutes ahead of now.'],
    [`/tracking/${tracking_number}/pod/uploads`, file, `body /sha256 must have the form of \`${sha256}\`.`],
    ['/shipments', withNull, 'body /notes must be a string, not null: leave out what has no value.'],
    ['/shipments', '\uFEFF\uFEFF{}', 'The body is not valid JSON.'],
  ] as const)
    expect((await send(path, body)).body).toMatchObject({ detail });
  // A byte order mark is accepted.
  expect((await send('/shipments', `\uFEFF${JSON.stringify(shipmentRequest())}`)).status).toBe(201);
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

test('listShipments names the parameters that are no percent-encoded UTF-8', async ({ service, account }) => {
  for (const [query, ...pointers] of [
    ...['%ED%A0%80', 'a%ffb', '%c0%af', '%E2%82', '%F4%90%80%80', '%zz', 'a%'].map((value) => [`reference=${value}`]),
    ['reference=%ff&limit=1&cursor=%fe', '/cursor'],
    ['reference=a&reference=%ff'],
    ['limit=1?&reference=%ff'],
  ]) {
    const problem = await problemOf(await get(service, account, `/shipments?${query}`));
    const error = { in: 'query', code: 'invalid_format', detail: 'must be percent-encoded UTF-8' };
    const errors = ['/reference', ...pointers].map((pointer) => ({ ...error, pointer }));
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request', errors });
  }
  const ofName = await problemOf(await get(service, account, '/shipments?%ff=1'));
  expect(ofName.errors).toMatchObject([{ in: 'query', code: 'unknown_field' }]);
  const reference = 'Zürich 北京 👷 100%+';
  const { id } = await newShipment(account, { reference });
  expect((await account.client.listShipments({ reference })).data).toMatchObject([{ id }]);
});

test('a problem has its path as a URI reference of at most 16,384 characters', async ({ service, account }) => {
  for (const [segment, encoded = segment] of [
    ...[['%ED%A0%80'], ['FRT-2026-000001%c0%80'], ["a!$&'()*+,;=:@-._~"]],
    ...[
      ['%zz', '%25zz'],
      ['%', '%25'],
      ['[|]', '%5B%7C%5D'],
    ],
    [`a${'|'.repeat(8000)}`, `a${'%7C'.repeat(5456)}`], // only whole escapes
  ]) {
    const { status, body } = await receive(await get(service, account, `/tracking/${segment}`));
    expect({ status, body }).toMatchObject({ status: 404, body: { instance: `/v1/tracking/${encoded}` } });
  }
});
