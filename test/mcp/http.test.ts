import { sql } from 'kysely';
import { expect } from 'vitest';
import { insertShipments } from '../fixtures/database/insert-shipments.ts';
import { concurrently } from '../fixtures/requests/concurrently.ts';
import { problemOf } from '../fixtures/requests/send.ts';
import { type Service, startService } from '../fixtures/service/service.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { overHttp } from './agent.ts';

type Sent = { method?: string; key?: string; headers?: Record<string, string>; body?: string };

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const list = JSON.stringify(message('tools/list'));

const send = ({ origin }: Service, { method = 'POST', key, headers, body = list }: Sent): Promise<Response> =>
  fetch(`${origin}/mcp`, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(method === 'POST' && { body }),
  });

const nested = `${'['.repeat(100)}${']'.repeat(100)}`;

test.for<[string, Sent, number, string, Record<string, string>?]>([
  ['no key', {}, 401, 'unauthenticated', { 'www-authenticate': 'Bearer' }],
  ['an unknown key', { key: 'wbk_nobody_secret' }, 401, 'unauthenticated'],
  ['a request to end a session', { method: 'DELETE' }, 405, 'method_not_allowed', { allow: 'POST' }],
  ['another content type', { key: '', headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
  ['more than 1 MiB', { key: '', body: `"${'x'.repeat(2 ** 20)}"` }, 413, 'payload_too_large'],
  ['JSON that is nested deeply', { key: '', body: nested }, 400, 'malformed_request'],
  ['a batch', { key: '', body: `[${Array(1000).fill(list)}]` }, 400, 'malformed_request'],
])('POST /mcp refuses %s', async ([, sent, status, code, headers = {}], { service, account }) => {
  const response = await send(service, { ...sent, ...(sent.key === '' && { key: account.key }) });
  expect(await problemOf(response)).toMatchObject({ status, code });
  for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name)).toBe(value);
});

test('POST /mcp accepts only pages of the service and of CORS_ORIGINS', async () => {
  const app = 'https://app.example.com';
  await using service = await startService({ CORS_ORIGINS: app });
  const { key } = await newAccount(service);
  const statusFor = async (origin: string) => (await send(service, { key, headers: { origin } })).status;
  for (const origin of [service.baseUrl.replace('/v1', ''), app]) expect(await statusFor(origin)).toBe(200);
  for (const origin of ['http://evil.example:3000', `${app}.evil.example`, 'null'])
    expect(await statusFor(origin)).toBe(403);
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'mcp-protocol-version' };
  const { headers } = await send(service, { method: 'OPTIONS', headers: { origin: app, ...asked } });
  expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('mcp-protocol-version');
});

test('over HTTP, tools read what the scopes of the key permit in its account', async ({ service, account }) => {
  const { tracking_number } = await newShipment(account);
  await using agent = await overHttp(service, await account.keyWith(['shipments:read']));
  const { tools } = await agent.client.listTools();
  expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual(Array(6).fill(true));
  expect(await agent.ask('find_shipments')).toMatchObject({ shipments: [{ tracking_number }] });
  for (const tool of ['get_shipment', 'get_proof_of_delivery'])
    expect(await agent.ask(tool, { tracking_number })).toMatchObject({ isError: true, code: 'insufficient_scope' });
  for (const name of ['raise_exception', 'constructor'])
    await expect(agent.client.callTool({ name, arguments: {} })).rejects.toThrow(/There is no tool/);
  const mistakes = { limit: 16, reference: {}, page: 2 };
  const fields = [{ pointer: '/page' }, { pointer: '/reference' }, { pointer: '/limit' }];
  expect(await agent.ask('find_shipments', mistakes)).toMatchObject({ code: 'invalid_request', errors: fields });

  await using other = await overHttp(service, (await newAccount(service)).key);
  const detailFor = async (number: string): Promise<string> =>
    (await other.ask('get_shipment', { tracking_number: number })).detail.replace(number, '');
  expect(await detailFor(tracking_number)).toBe(await detailFor('FRT-2026-999999'));
});

test('a message counts once, with the requests of its tool', async () => {
  await using service = await startService({ RATE_LIMIT: '40' });
  const { key } = await newAccount(service);
  const call = JSON.stringify(message('tools/call', { name: 'list_attention' })); // reads three lists
  const first = await send(service, { key, body: call });
  expect([first.status, first.headers.get('ratelimit')]).toEqual([200, expect.stringMatching(/^"key";r=39;/)]);
  const responses = await concurrently(100, () => send(service, { key, body: call }));
  const passed = responses.filter(({ status }) => status === 200);
  expect(passed).toHaveLength(39);
  for (const response of passed)
    expect((await response.json()).result).toMatchObject({ structuredContent: { under_way: { shipments: [] } } });
});

test('a notification gets 202 without a body', async ({ service, account: { key } }) => {
  for (const method of ['notifications/initialized', 'notifications/cancelled', 'notifications/unknown']) {
    const response = await send(service, { key, body: JSON.stringify({ jsonrpc: '2.0', method }) });
    expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([202, '', null]);
  }
});

test.for([
  ['*/*', 200],
  ['application/*;q=0.5', 200],
  ['application/json; charset=UTF-8', 200],
  ['', 200],
  ['text/event-stream', 406],
  ['application/json;q=0, text/event-stream', 406],
] as const)('POST /mcp with Accept "%s" returns %i', async ([accept, status], { service, account: { key } }) => {
  expect((await send(service, { key, headers: { accept } })).status).toBe(status);
});

const [ping, call] = [message('ping'), (params?: object) => ({ ...message('tools/call'), params })];
const [invalidRequest, invalidParameters] = [-32_600, -32_602];

test.for<[body: unknown, code: number, id: unknown, field: string]>([
  [{ ...ping, params: null }, invalidRequest, 1, 'params'],
  [{ ...ping, params: [] }, invalidRequest, 1, 'params'],
  [{ ...ping, id: null }, invalidRequest, null, 'id'],
  [{ ...ping, jsonrpc: '1.0', id: 'a' }, invalidRequest, 'a', 'jsonrpc'],
  [{ jsonrpc: '2.0', id: 2 }, invalidRequest, 2, 'method'],
  [{ jsonrpc: '2.0', method: 'notifications/initialized', params: null }, invalidRequest, null, 'params'],
  [null, invalidRequest, null, 'message'],
  [call({ name: 'list_attention', arguments: null }), invalidParameters, 1, 'arguments'],
  [call({ name: 5 }), invalidParameters, 1, 'name'],
  [call(), invalidParameters, 1, 'params'],
  [message('tools/list', { cursor: 5 }), invalidParameters, 1, 'cursor'],
  [message('initialize'), invalidParameters, 1, 'protocolVersion'],
])('the message %j gets the error %i for the id %j, which names %s', async (row, { service, account: { key } }) => {
  const [body, code, id, field] = row;
  const response = await send(service, { key, body: JSON.stringify(body) });
  const { error, ...others } = await response.json();
  const status = code === invalidRequest ? 400 : 200;
  expect([response.status, error.code, others]).toEqual([status, code, { jsonrpc: '2.0', id }]);
  expect(error.message).toMatch(new RegExp(`^Invalid (request|parameters): (params[.])?${field}: [^{}]+$`));
});

test('a tool that waits returns when the service stops', async () => {
  const service = await startService();
  await using agent = await overHttp(service, (await newAccount(service)).key);
  const waiting = agent.ask('follow_changes', { wait: 30 });
  await agent.ask('follow_changes');
  await service[Symbol.asyncDispose]();
  expect(await waiting).toMatchObject({ events: [], isError: false });
});

test('no answer has more than 20 kB: 10,000 shipments with the longest texts', async ({ service, account }) => {
  const long = (length: number): string => '"😀'.repeat(length / 2);
  const lines = { company: long(100), address: long(200), address_2: long(200) };
  const address = { ...lines, city: long(100), state: long(50), zip: long(20), contact_name: long(100) };
  const [start = '', end = ''] = [2, 1].map((hours) => new Date(Date.now() - hours * 3_600_000).toISOString());
  const details = { carrier: { name: long(100) }, delivery_window: { start, end } };
  await insertShipments(service.db, account.id, 10_000);
  await sql`
    update shipments set reference = tracking_number || ${long(80)}, details = ${JSON.stringify(details)}::jsonb,
      origin = ${JSON.stringify(address)}::jsonb, destination = ${JSON.stringify(address)}::jsonb, pickup_end = date_trunc('second', now()),
      status = case when tracking_number < 'FRT-2026-905000' then 'in_transit' else 'scheduled' end
    where account_id = ${account.id}`.execute(service.db);
  const items = Array(100).fill({ description: long(200), pieces: 1, weight: { value: 1, unit: 'kg' } });
  const fields = { ...details, origin: address, destination: address, notes: long(2000), items };
  const { tracking_number } = await shipmentIn(account, 'in_transit', fields);
  const report = { tracking_number, code: 'damaged' as const, description: long(500), occurred_at: new Date() };
  await concurrently(20, () => account.client.raiseException(report));

  await using agent = await overHttp(service, account.key); // which measures every answer
  const { ask } = agent;
  const expectRows = (groups: { shipments: { tracking_number: string }[] }[], counts: number[]) => {
    expect(groups.map(({ shipments }) => shipments.length)).toEqual(counts);
    const numbers = groups.flatMap(({ shipments }) => shipments.map((shipment) => shipment.tracking_number));
    expect(new Set(numbers).size).toBe(numbers.length); // pages do not overlap
  };
  const page = await ask('find_shipments');
  expectRows([page, await ask('find_shipments', { cursor: page.next_cursor })] as never, [15, 15]);
  expect(page.shipments[1].reference).toMatch(/^FRT-2026-9\d{5}"😀.*… \(\d+ more characters\)$/);
  const { open_exceptions, overdue_pickups: overdue, under_way: late } = await ask('list_attention');
  expect([open_exceptions.total_count, open_exceptions.shipments[0].other_exceptions]).toEqual([1, 19]);
  expectRows([overdue, await ask(overdue.next.tool, overdue.next.arguments)] as never, [6, 15]);
  expectRows([late, (await ask(late.next.tool, late.next.arguments)).under_way], [6, 15]);
  for (const tool of ['get_shipment', 'explain_shipment'])
    expect(JSON.stringify(await ask(tool, { tracking_number }))).toContain('more characters');
  expect((await ask('follow_changes')).events).toHaveLength(15);
});
