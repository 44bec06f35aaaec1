import { expect } from 'vitest';
import { get, type Problem, problemOf, receive } from '../../fixtures/http.ts';
import { newShipment, shipmentRequest } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';

const example = 'ship_01kjpx8p02fabr24pa3eywnyp2';
const missing = 'There is nothing at this URL.';
const malformed = 'The header Authorization is malformed. Send `Bearer` and the API key, which begins with `wbk_`.';

test('the detail of a problem names the error and its correction', async ({ account, service }) => {
  for (const [path, detail] of [
    ['/shipments?limit=101', 'query /limit must be at most 100.'],
    ['/shipments?limit=ten', 'query /limit must be an integer.'],
    ['/shipments?limit=1&limit=2', 'query /limit must be sent only once.'],
    ['/shipments?limit[]=1', 'query /limit[] is unknown: send `limit` only once.'],
    ['/shipments?limits[]=1', 'query /limits[] is unknown.'],
    ['/shipments?status=a&status=b', 'query /status must be sent once, with its values separated by commas.'],
    ['/shipments?status[]=a', 'query /status[] is unknown: send `status` once, with its values separated by commas.'],
    ['/shipments?status=Delivered', 'query /status must be written as `delivered`.'],
    ['/shipments?status=delivered,+cancelled', 'query /status must be written as `delivered,cancelled`.'],
    ['/shipments?has_exception=True', 'query /has_exception must be true.'],
    ['/shipments?from_date=2026-11-01T00:00:00+02:00', 'query /from_date must have its `+` encoded as `%2B`.'],
    ['/shipments?to_date=2026-11-01T00:00:00.5+0200', 'query /to_date must have its `+` encoded as `%2B`.'],
    ['/shipments?from_date=1', 'query /from_date must be a date (YYYY-MM-DD) or a date-time with an offset.'],
    ['/shipments?from_date=a&limit=0', '2 fields are invalid.'],
    ['/shipments?cursor=*', 'query /cursor must have the form that its description states.'],
    ['/events?after=42', 'query /after must begin with `evt_`.'],
    ['/events?after=evt_42', 'query /after must have the form that its description states.'],
    [
      '/events?types=moved',
      expect.stringMatching(/^query \/types must be one or more of shipment.created, .+, separated/),
    ],
    ['/tracking/frt-2026-000142', '`frt-2026-000142` is not a tracking number: write `FRT-2026-000142`.'],
    ['/tracking/%20FRT-2026-000142%0A', '` FRT-2026-000142?` is not a tracking number: write `FRT-2026-000142`.'],
    ['/tracking/FRT-2026-000142%E2%80%8B', '`FRT-2026-000142?` is not a tracking number: write `FRT-2026-000142`.'],
    [`/shipments/${example.toUpperCase()}`, `\`${example.toUpperCase()}\` is not a shipment id: write \`${example}\`.`],
    ['/shipments/FRT-2026-000142', '`FRT-2026-000142` is not a shipment id: they begin with `ship_`.'],
    ['/shipments/ship_142', `\`ship_142\` is not a shipment id: they have the form of \`${example}\`.`],
    [`/tracking/${example}`, `\`${example}\` is not a tracking number: they have the form of \`FRT-2026-000142\`.`],
    ['/shipments/%1B%5B2J%60%E2%80%AE', '`?[2J??` is not a shipment id: they begin with `ship_`.'],
    [`/shipments/${'x'.repeat(400)}`, `\`${'x'.repeat(100)}\` is not a shipment id: they begin with \`ship_\`.`],
    ['/shipments/ship_01kjpx8p02fabr24pa3eywnyp9', 'There is no shipment `ship_01kjpx8p02fabr24pa3eywnyp9`.'],
    ['/tracking/FRT-1999-000142/positions', 'There is no shipment `FRT-1999-000142`.'],
    [
      '/webhook_endpoints/whe_01kjpx8p02e0n8wk1xmhc3p7vd',
      'There is no webhook endpoint `whe_01kjpx8p02e0n8wk1xmhc3p7vd`.',
    ],
    ['/files/token', missing],
    ['/shipment', missing],
  ] as const) {
    expect([path, (await problemOf(await get(service, account, path))).detail]).toEqual([path, detail]);
  }
  for (const [authorization, detail] of [
    [undefined, 'The request has no API key. Send the header `Authorization: Bearer wbk_…`.'],
    ['', malformed],
    ['Basic dTpw', malformed],
  ] as const) {
    const response = await fetch(`${service.baseUrl}/shipments`, {
      headers: authorization === undefined ? {} : { authorization },
    });
    expect((await problemOf(response)).detail).toBe(detail);
  }
});

test('the detail of a problem of a body names the error and its correction', async ({ account, service }) => {
  const { client, key } = account;
  const { tracking_number } = await newShipment(account);
  const timestamp = new Date(Date.now() + 3_600_000);
  const { id: webhook_endpoint_id } = await client.createWebhookEndpoint({ url: 'http://127.0.0.1:9/hook' });
  const delivery_id = 'whd_01kjpx8p1pe3br6jq5y2v9s4tg';
  const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const file = { kind: 'photo', content_type: 'image/png', size: 1, sha256: 'unknown' } as const;
  for (const [request, detail] of [
    [
      () => client.resendWebhookDelivery({ webhook_endpoint_id, delivery_id }),
      `There is no delivery \`${delivery_id}\`.`,
    ],
    [
      () => client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp }),
      'body /timestamp must not be more than 5 minutes ahead of now.',
    ],
    [() => client.createProofUpload({ tracking_number, ...file }), `body /sha256 must have the form of \`${sha256}\`.`],
    [
      () => client.createShipment({ ...shipmentRequest(), notes: null } as never),
      'body /notes must be a string, not null: leave out what has no value.',
    ],
  ] as const)
    await expect(request()).rejects.toMatchObject({ detail });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const send = (body: string) => fetch(`${service.baseUrl}/shipments`, { method: 'POST', headers, body });
  // A byte order mark is accepted.
  expect((await send(`\uFEFF${JSON.stringify(shipmentRequest())}`)).status).toBe(201);
  expect((await problemOf(await send('\uFEFF\uFEFF{}'))).detail).toBe('The body is not valid JSON.');
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

test('a problem has its path as a URI reference (RFC 3986) of at most 16,384 characters', async ({
  service,
  account,
}) => {
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
