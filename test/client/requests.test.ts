import { type Client, type ClientOptions, createClient, type RequestEvent } from '@waybill/client';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { afterEach, expect, vi } from 'vitest';
import { uniquePng } from '../fixtures/images.ts';
import { newShipment, shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { startStub, success } from './stub.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

test('listShipments iterates over pages as they are consumed, and rejects as they do', async ({ service, account }) => {
  const created: string[] = [];
  for (let n = 0; n < 7; n++) created.unshift((await newShipment(account)).id);
  const queries: string[] = [];
  const onRequest = ({ url }: RequestEvent) => queries.push(new URL(url).search);
  const client = createClient({ baseUrl: `${service.baseUrl}/`, apiKey: account.key, onRequest });
  const sent = () => queries.splice(0);

  await Array.fromAsync(client.listShipments({ limit: 3, status: 'scheduled' }));
  expect(sent()).toEqual(Array(3).fill(expect.stringMatching(/^\?limit=3&status=scheduled/)));
  for await (const { id } of client.listShipments({ limit: 3 })) if (id === created[2]) break;
  expect(sent()).toHaveLength(1);
  const first = await client.listShipments({ limit: 3 }).toArray({ limit: 4 });
  expect(first.map(({ id }) => id)).toEqual(created.slice(0, 4));
  expect(sent()).toHaveLength(2);
  const events = await client.listEvents({ limit: 3 }).toArray({ limit: 10 });
  expect(events.map(({ data }) => data.shipment?.id)).toEqual(created.toReversed());

  await expect(client.listShipments().toArray({ limit: 0 })).rejects.toThrow(TypeError);
  await expect(Array.fromAsync(client.listShipments({ limit: 0 }))).rejects.toMatchObject({ code: 'invalid_request' });
  const cause = new Error('enough');
  const aborted = client.listShipments({}, { signal: AbortSignal.abort(cause) });
  await expect(Array.fromAsync(aborted)).rejects.toMatchObject({ cause });
});

test('uploadProofFile sends the bytes as of the call, without the API key', async ({ service, account }) => {
  const { tracking_number } = await newShipment(account);
  const sent: Request[] = [];
  const send = (request: Request) => {
    sent.push(request);
    return fetch(request);
  };
  const client = createClient({
    baseUrl: service.baseUrl,
    apiKey: account.key,
    headers: { 'X-Request-Id': 'mine' },
    fetch: send,
  });
  const file = uniquePng('before');
  const sending = client.uploadProofFile({ tracking_number, kind: 'photo', file, content_type: 'image/png' });
  file.fill(0);
  expect(await sending).toMatch(/^upl_/);
  const names = ['authorization', 'x-request-id', 'content-type'];
  expect(sent.map(({ method, headers }) => [method, ...names.map((name) => headers.get(name))])).toEqual([
    ['POST', `Bearer ${account.key}`, 'mine', 'application/json'],
    ['PUT', null, null, 'image/png'],
  ]);
});

test('path values are percent-encoded', async () => {
  await using stub = await startStub((response) => response.writeHead(500).end());
  const encoded = { 'a/b': 'a%2Fb', '../x': '..%2Fx', 'a?b#c': 'a%3Fb%23c', 'å %2f': '%C3%A5%20%252f', '...': '...' };
  for (const shipment_id of Object.keys(encoded)) await stub.client.getShipment({ shipment_id }).catch(() => {});
  expect(stub.requests.map(({ url }) => url)).toEqual(Object.values(encoded).map((value) => `/v1/shipments/${value}`));
});

test('in a browser createClient throws for an API key, unless it is allowed, and does not read the environment', async () => {
  await using stub = await startStub();
  vi.stubGlobal('document', {});
  vi.stubEnv('WAYBILL_API_KEY', 'wbk_third');
  for (const apiKey of ['wbk_a_b', async () => 'wbk_a_b'])
    expect(() => createClient({ apiKey })).toThrow(/must not be in a browser/);
  const allowed: ClientOptions[] = [{ apiKey: 'wbk_a_b', dangerouslyAllowBrowser: true }, { accessToken: 'wba_a_b' }];
  for (const options of [{ baseUrl: '/api/v1' }, ...allowed]) expect(() => createClient(options)).not.toThrow();
  await createClient({ baseUrl: `${stub.url}/v1` }).listShipments();
  expect(stub.requests[0]?.headers.authorization).toBeUndefined();
});

test.for<[options: object, name: string]>([
  [{ apiKey: '' }, 'apiKey'],
  [{ apiKey: undefined }, 'WAYBILL_API_KEY'],
  [{ apiKeys: 'wbk_a_b' }, "'apiKeys'"],
  [{ apiKey: null, timeout: 0 }, 'timeout'],
  [{ apiKey: 'wbk_a_b\n' }, 'apiKey'],
  [{ apiKey: 'Bearer wbk_a_b' }, 'apiKey'],
  [{ accessToken: 'wba_a_b\n' }, 'apiKey'],
  [{ accessToken: 'wbk_a_b' }, 'begins with wba_'],
  [{ accessToken: 'wba_a_b', apiKey: 'wbk_a_b' }, 'not both'],
  ...['', '/v1', 'api.example.com/v1', 'https://api.example.com/v1?x=1', 'https://user:secret@api.example.com/v1'].map(
    (baseUrl): [object, string] => [{ apiKey: null, baseUrl }, 'baseUrl'],
  ),
])('createClient throws for %j', ([options, name]) => {
  expect(() => createClient(options)).toThrow(TypeError);
  expect(() => createClient(options)).toThrow(name);
});

test('headers of a call replace those of the client, and hooks report each request without the API key', async () => {
  const events: unknown[] = [];
  await using stub = await startStub(undefined, {
    headers: { 'X-A': '1', 'X-B': '1' },
    onRequest: (event) => {
      expect(event.headers.has('Authorization')).toBe(false);
      event.headers.set('traceparent', '00-1');
      events.push(event);
    },
    onResponse: (event) => events.push(event),
  });
  await stub.client.createShipment(shipmentRequest(), { idempotencyKey: 'k', headers: { 'X-B': '2' } });
  const request = { operation: 'createShipment', method: 'POST', url: `${stub.url}/v1/shipments`, idempotencyKey: 'k' };
  expect(events).toMatchObject([
    { ...request, attempt: 1 },
    { ...request, attempt: 1, status: 200, requestId: 'r1', duration: expect.any(Number) },
  ]);
  expect(stub.requests[0]?.headers).toMatchObject({
    'x-a': '1',
    'x-b': '2',
    authorization: 'Bearer wbk_stub',
    'content-type': 'application/json',
    traceparent: '00-1',
    'user-agent': `waybill-client/${contract.info.version} node/${process.versions.node}`,
  });
});

test('a page without HTTPS can call an operation with a key, and reads why it cannot upload', async () => {
  await using stub = await startStub();
  const ofPlainPage = { getRandomValues: crypto.getRandomValues.bind(crypto) }; // what browsers have there
  vi.stubGlobal('crypto', ofPlainPage);
  await stub.client.listShipments();
  for (let n = 0; n < 2; n++) await stub.client.createShipment(shipmentRequest());
  const [none, ...keys] = stub.requests.map(({ headers }) => headers['idempotency-key']);
  expect(none).toBeUndefined();
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys).size).toBe(2);
  const file = uniquePng('one');
  const uploading = stub.client.uploadProofFile({ tracking_number: 'FRT-2026-000001', kind: 'photo', file });
  await expect(uploading).rejects.toThrow('Uploads need HTTPS');
});

test('an API key can come from a function or the environment, and a client with null sends none', async () => {
  await using stub = await startStub();
  const baseUrl = `${stub.url}/v1`;
  vi.stubEnv('WAYBILL_API_KEY', 'wbk_env');
  vi.stubEnv('WAYBILL_URL', baseUrl);
  const options = [{ apiKey: async () => 'wbk_function', baseUrl }, { apiKey: null }, {}, { apiKey: 'wbk_own' }];
  for (const each of options) await createClient(each).listShipments();
  const keys = stub.requests.map(({ headers }) => headers.authorization);
  expect(keys).toEqual(['Bearer wbk_function', undefined, 'Bearer wbk_env', 'Bearer wbk_own']);
});

test.for([
  ['application/pdf', true],
  ['application/vnd.of-a-later-version', true],
  ['Application/JSON', false],
] as const)('getProofFile with a response of the type %s resolves: %s', async ([type, resolves]) => {
  await using stub = await startStub((response) => response.writeHead(200, { 'Content-Type': type }).end('%PDF-'));
  const file = stub.client.getProofFile({ url: `${stub.url}/v1/files/1` });
  if (resolves) expect(await (await file).text()).toBe('%PDF-');
  else await expect(file).rejects.toThrow('does not come from Waybill');
});

test('no error shows a malformed key, header or base URL', async () => {
  await using stub = await startStub();
  const baseUrl = `${stub.url}/v1`;
  const calls: (() => Promise<unknown>)[] = [
    () => createClient({ baseUrl, apiKey: async () => undefined as unknown as string }).listShipments(),
    () => createClient({ baseUrl, apiKey: null, headers: { Authorization: 'Bearer secret\nX' } }).listShipments(),
    async () => createClient({ baseUrl: 'https://user:secret@127.0.0.1/v1', apiKey: null }),
  ];
  const isSafe = ({ name, message, cause }: Error) => name === 'TypeError' && !`${message}${cause}`.includes('secret');
  for (const call of calls) await expect(call()).rejects.toSatisfy(isSafe);
  expect(stub.requests).toEqual([]);
});

test('dates are sent as timestamps, in queries and at any depth of a body', async () => {
  const bodies: string[] = [];
  await using stub = await startStub((response, request) => {
    request.on('data', (chunk) => bodies.push(String(chunk)));
    response.end(success);
  });
  const date = new Date(Date.UTC(2026, 2, 1));
  await stub.client.listShipments({ from_date: date, to_date: '2026-03-02', cursor: undefined });
  expect(stub.requests[0]?.url).toBe('/v1/shipments?from_date=2026-03-01T00%3A00%3A00.000Z&to_date=2026-03-02');
  const pickup_window = { start: date, end: '2026-03-02T00:00:00Z' };
  await stub.client.createShipment({ ...shipmentRequest(), pickup_window });
  expect(JSON.parse(bodies.join(''))).toMatchObject({ pickup_window: { start: '2026-03-01T00:00:00.000Z' } });
});

const tracking_number = 'FRT-2026-000001';
const start = new Date('soon');
const unknown = { x: 1 } as object;
const file = uniquePng('');
test.for<[expected: string, call: (client: Client) => Promise<unknown>]>([
  ["listShipments: unknown key 'x'", (client) => client.listShipments(unknown)],
  ["getTracking options: unknown key 'x'", (client) => client.getTracking({ tracking_number }, unknown)],
  ["trackUntil options: unknown key 'x'", (client) => client.trackUntil({ tracking_number, status: [] }, unknown)],
  ["followEvents: unknown key 'x'", (client) => client.followEvents(unknown).next()],
  ["streamEvents options: unknown key 'x'", (client) => client.streamEvents({}, unknown).next()],
  ['getTracking must be an object', (client) => client.getTracking(tracking_number as never)],
  ['putProofFile: file must be a Blob', (client) => client.putProofFile({ url: 'http://127.0.0.1:1', file } as never)],
  ['listShipments.from_date is an invalid Date', (client) => client.listShipments({ from_date: start })],
  ['pickup_window.start is an invalid Date', (client) => client.createShipment({ pickup_window: { start } } as never)],
  ['timeout must be a positive number, not 0', (client) => client.listShipments({}, { timeout: 0 })],
  ['shipment_id must be an identifier, not ""', (client) => client.getShipment({ shipment_id: '' })],
  ['shipment_id must be an identifier, not ".."', (client) => client.getShipment({ shipment_id: '..' })],
  ['must be an identifier', (client) => client.uploadProofFile({ tracking_number: '', kind: 'photo', file })],
])('%s is a TypeError before a request is sent', async ([expected, call]) => {
  const fetch = vi.fn(async () => Response.json({}));
  const calling = call(createClient({ apiKey: 'wbk_x', fetch }));
  await expect(calling).rejects.toBeInstanceOf(TypeError);
  await expect(calling).rejects.toThrow(expected);
  expect(fetch).not.toHaveBeenCalled();
});

test('a redirect of the API is not followed', async () => {
  await using stub = await startStub((response) => response.writeHead(301, { Location: '/v2' }).end());
  await expect(stub.client.listShipments()).rejects.toMatchObject({ name: 'UnexpectedResponseError', status: 301 });
  expect(stub.requests).toHaveLength(1);
});
