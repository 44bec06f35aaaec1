import { type Client, createClient, type RequestEvent } from '@waybill/client';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import * as undici from 'undici';
import { afterEach, expect, vi } from 'vitest';
import { uniquePng } from '../fixtures/images.ts';
import { newShipment, shipmentRequest, upload } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { startStub } from './stub.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

test('listShipments iterates over shipments and requests only consumed pages', async ({ service, account }) => {
  const created: string[] = [];
  for (let n = 0; n < 7; n++) created.unshift((await newShipment(account)).id);
  const queries: string[] = [];
  const onRequest = ({ url }: RequestEvent) => queries.push(new URL(url).search);
  const client = createClient({ baseUrl: service.baseUrl, apiKey: account.key, onRequest });

  const ids = (await Array.fromAsync(client.listShipments({ limit: 3, status: 'scheduled' }))).map(({ id }) => id);
  expect(ids).toEqual(created);
  expect(queries).toHaveLength(3);
  for (const search of queries) expect(search).toMatch(/^\?limit=3&status=scheduled/);

  queries.length = 0;
  for await (const { id } of client.listShipments({ limit: 3 })) if (id === created[2]) break;
  expect(queries).toHaveLength(1);
  expect(await Array.fromAsync(client.listShipments({ status: 'delivered' }))).toEqual([]);

  queries.length = 0;
  const first = await client.listShipments({ limit: 3 }).toArray({ limit: 4 });
  expect(first.map(({ id }) => id)).toEqual(created.slice(0, 4));
  expect(queries).toHaveLength(2);
  await expect(client.listShipments().toArray({ limit: 0 })).rejects.toThrow(TypeError);
});

test('an iteration over listShipments rejects when a page rejects', async ({ service, account }) => {
  const client = createClient({ baseUrl: service.baseUrl, apiKey: account.key });
  await expect(Array.fromAsync(client.listShipments({ limit: 0 }))).rejects.toMatchObject({ code: 'invalid_request' });
  const reason = new Error('enough');
  const shipments = client.listShipments({}, { signal: AbortSignal.abort(reason) });
  await expect(Array.fromAsync(shipments)).rejects.toMatchObject({ cause: reason });
});

test('the API key is sent to the service and not to upload URLs', async ({ service, account }) => {
  const { tracking_number } = await newShipment(account);
  const sent: Request[] = [];
  const client = createClient({
    baseUrl: service.baseUrl,
    apiKey: account.key,
    headers: { 'X-Request-Id': 'mine' },
    fetch: (request) => {
      sent.push(request);
      return fetch(request);
    },
  });
  const id = await upload({ client }, tracking_number, 'photo');
  expect(id).toMatch(/^upl_/);
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'PUT']);
  const [declared, put] = sent.map(({ headers }) => headers);
  expect(declared?.get('authorization')).toBe(`Bearer ${account.key}`);
  expect(declared?.get('x-request-id')).toBe('mine');
  expect(put?.get('authorization')).toBeNull();
  expect(put?.get('x-request-id')).toBeNull();
  expect(put?.get('content-type')).toBe('image/png');
});

test('uploadProofFile sends the bytes as they were at the call', async ({ account }) => {
  const { tracking_number } = await newShipment(account);
  const file = uniquePng('before');
  const sending = account.client.uploadProofFile({ tracking_number, kind: 'photo', file, content_type: 'image/png' });
  file.fill(0);
  expect(await sending).toMatch(/^upl_/);
});

test('path values are percent-encoded', async () => {
  await using stub = await startStub((_, response) => void response.writeHead(500).end());
  const values = ['a/b', '../x', 'a?b#c', 'å %2f', 'a;b,c', '...'];
  for (const shipment_id of values) await stub.client.getShipment({ shipment_id }).catch(() => {});
  expect(stub.requests.map(({ url }) => url)).toEqual([
    '/v1/shipments/a%2Fb',
    '/v1/shipments/..%2Fx',
    '/v1/shipments/a%3Fb%23c',
    '/v1/shipments/%C3%A5%20%252f',
    '/v1/shipments/a%3Bb%2Cc',
    '/v1/shipments/...',
  ]);
});

test('headers of a call replace headers of the client', async () => {
  await using stub = await startStub((_, response) => void response.end('{}'), { headers: { 'X-A': '1', 'X-B': '1' } });
  await stub.client.createShipment(shipmentRequest(), { headers: { 'X-B': '2' } });
  expect(stub.requests[0]?.headers).toMatchObject({
    'x-a': '1',
    'x-b': '2',
    authorization: 'Bearer wbk_stub',
    'content-type': 'application/json',
  });
});

test('createClient accepts a base URL that ends with a slash', async ({ service, account }) => {
  const client = createClient({ baseUrl: `${service.baseUrl}/`, apiKey: account.key });
  expect((await client.listShipments().withResponse()).status).toBe(200);
});

test('in a browser createClient throws for an API key, unless it is allowed', () => {
  vi.stubGlobal('document', {});
  expect(() => createClient({ apiKey: 'wbk_a_b' })).toThrow(/must not be in a browser/);
  expect(() => createClient({ apiKey: async () => 'wbk_a_b' })).toThrow(/must not be in a browser/);
  expect(() => createClient({ accessToken: 'wbk_a_b' })).toThrow(/begins with wba_/);
  for (const options of [
    ...[{}, { baseUrl: '/api/v1' }, { accessToken: 'wba_a_b' }],
    { apiKey: 'wbk_a_b', dangerouslyAllowBrowser: true },
  ]) {
    expect(() => createClient(options)).not.toThrow();
  }
});

test.for([
  [{ apiKey: '' }, 'apiKey'],
  [{}, 'WAYBILL_API_KEY'],
  [{ apiKey: undefined }, 'WAYBILL_API_KEY'],
  [{ apiKeys: 'wbk_a_b' } as object, "'apiKeys'"],
  [{ apiKey: null, timeout: 0 }, 'timeout'],
  [{ apiKey: null, baseUrl: '/v1' }, 'baseUrl'],
  [{ apiKey: 'wbk_a_b\n' }, 'apiKey'],
  [{ apiKey: 'Bearer wbk_a_b' }, 'apiKey'],
  [{ accessToken: 'wba_a_b\n' }, 'apiKey'],
  [{ accessToken: 'wba_a_b', apiKey: 'wbk_a_b' }, 'not both'],
  [{ apiKey: 'wbk_a_b', baseUrl: '' }, 'baseUrl'],
  [{ apiKey: 'wbk_a_b', baseUrl: 'api.example.com/v1' }, 'baseUrl'],
  [{ apiKey: 'wbk_a_b', baseUrl: 'https://api.example.com/v1?x=1' }, 'baseUrl'],
  [{ apiKey: 'wbk_a_b', baseUrl: 'https://user:secret@api.example.com/v1' }, 'baseUrl'],
] as const)('createClient throws for %j', ([options, name]) => {
  expect(() => createClient(options)).toThrow(TypeError);
  expect(() => createClient(options)).toThrow(name);
});

test('User-Agent, onRequest and onResponse report each request', async () => {
  const events: unknown[] = [];
  await using stub = await startStub(
    (_, response) => void response.writeHead(200, { 'X-Request-Id': 'r1' }).end('{}'),
    {
      onRequest: (event) => {
        expect(event.headers.has('Authorization')).toBe(false);
        event.headers.set('traceparent', '00-1');
        events.push(event);
      },
      onResponse: (event) => events.push(event),
    },
  );
  await stub.client.createShipment(shipmentRequest(), { idempotencyKey: 'k' });
  const request = { operation: 'createShipment', method: 'POST', url: `${stub.url}/v1/shipments`, idempotencyKey: 'k' };
  expect(events).toMatchObject([
    { ...request, attempt: 1 },
    { ...request, attempt: 1, status: 200, requestId: 'r1', duration: expect.any(Number) },
  ]);
  expect(stub.requests[0]?.headers).toMatchObject({
    traceparent: '00-1',
    'user-agent': `waybill-client/${contract.info.version} node/${process.versions.node}`,
  });
});

test('an API key can come from a function or the environment, and a client with null sends none', async () => {
  await using stub = await startStub((_, response) => void response.end('{}'), { apiKey: async () => 'wbk_second' });
  await stub.client.listShipments();
  await createClient({ baseUrl: `${stub.url}/v1`, apiKey: null }).listShipments();
  vi.stubEnv('WAYBILL_API_KEY', 'wbk_third');
  vi.stubEnv('WAYBILL_URL', `${stub.url}/v1`);
  await createClient().listShipments();
  await createClient({ apiKey: 'wbk_fourth' }).listShipments();
  const keys = stub.requests.map(({ headers }) => headers.authorization);
  expect(keys).toEqual(['Bearer wbk_second', undefined, 'Bearer wbk_third', 'Bearer wbk_fourth']);
});

test('an environment that may not be read, as in Deno, is not needed with both settings', async () => {
  await using stub = await startStub((_, response) => void response.end('{}'));
  const denied = () => {
    throw new Error('Requires env access to "WAYBILL_URL", run again with the --allow-env flag');
  };
  const env = vi.fn(denied);
  vi.stubGlobal('process', { env: new Proxy({}, { get: env }), versions: process.versions });
  const baseUrl = `${stub.url}/v1`;
  const clients = [{ apiKey: 'wbk_a_b' }, { apiKey: null }, { accessToken: 'wba_a_b' }].map((who) =>
    createClient({ baseUrl, ...who }),
  );
  expect(env).not.toHaveBeenCalled();
  expect(() => createClient({ baseUrl })).toThrow('There is no API key.');
  vi.unstubAllGlobals();
  for (const client of clients) await client.listShipments();
  expect(stub.requests).toHaveLength(3);
});

test('in a browser the environment is not read', async () => {
  await using stub = await startStub((_, response) => void response.end('{}'));
  vi.stubGlobal('document', {});
  vi.stubEnv('WAYBILL_API_KEY', 'wbk_third');
  await createClient({ baseUrl: `${stub.url}/v1` }).listShipments();
  expect(stub.requests[0]?.headers.authorization).toBeUndefined();
});

test('dates are sent as timestamps, in queries and at any depth of a body', async () => {
  const bodies: string[] = [];
  await using stub = await startStub((request, response) => {
    request.on('data', (chunk) => bodies.push(String(chunk)));
    response.end('{}');
  });
  const date = new Date(Date.UTC(2026, 2, 1));
  await stub.client.listShipments({ from_date: date, to_date: '2026-03-02', cursor: undefined });
  expect(stub.requests[0]?.url).toBe('/v1/shipments?from_date=2026-03-01T00%3A00%3A00.000Z&to_date=2026-03-02');
  const pickup_window = { start: date, end: '2026-03-02T00:00:00Z' };
  await stub.client.createShipment({ ...shipmentRequest(), pickup_window });
  expect(JSON.parse(bodies.join(''))).toMatchObject({ pickup_window: { start: '2026-03-01T00:00:00.000Z' } });
});

const path = { tracking_number: 'FRT-2026-000001' };
const invalid = new Date('soon');
test.for<[expected: string, call: (client: Client) => Promise<unknown>]>([
  ["listShipments: unknown key 'x'", (client) => client.listShipments({ x: undefined } as object)],
  ["getTracking: unknown key 'path'", (client) => client.getTracking({ path } as never)],
  [
    "getTracking options: unknown key 'idempotencyKey'",
    (client) => client.getTracking(path, { idempotencyKey: 'k' } as object),
  ],
  ['getTracking must be an object', (client) => client.getTracking('FRT-2026-000001' as never)],
  ['createShipment must be an object', (client) => client.createShipment(null as never)],
  [
    'putProofFile: file must be a Blob',
    (client) => client.putProofFile({ url: 'http://127.0.0.1:1', file: 'text' as never }),
  ],
  ['listShipments.from_date is an invalid Date', (client) => client.listShipments({ from_date: invalid })],
  [
    'createShipment.pickup_window.start is an invalid Date',
    (client) => client.createShipment({ ...shipmentRequest(), pickup_window: { start: invalid, end: invalid } }),
  ],
  ['timeout must be a positive number, not 0', (client) => client.listShipments({}, { timeout: 0 })],
  [
    "trackUntil options: unknown key 'intervall'",
    (client) => client.trackUntil({ ...path, status: 'delivered' }, { intervall: 1 } as object),
  ],
  ['getShipment: shipment_id must be an identifier, not ""', (client) => client.getShipment({ shipment_id: '' })],
  ['getShipment: shipment_id must be an identifier, not "."', (client) => client.getShipment({ shipment_id: '.' })],
  ['getShipment: shipment_id must be an identifier, not ".."', (client) => client.getShipment({ shipment_id: '..' })],
  [
    'createProofUpload: tracking_number must be an identifier, not ""',
    (client) => client.uploadProofFile({ tracking_number: '', kind: 'photo', file: uniquePng('') }),
  ],
])('%s is a TypeError before a request is sent', async ([expected, call]) => {
  const fetch = vi.fn(async () => Response.json({}));
  const calling = call(createClient({ apiKey: 'wbk_x', fetch }));
  await expect(calling).rejects.toBeInstanceOf(TypeError);
  await expect(calling).rejects.toThrow(expected);
  expect(fetch).not.toHaveBeenCalled();
});

test("undici's fetch can be used with its Request", async ({ service, account }) => {
  const { baseUrl } = service;
  const { fetch, Request } = undici;
  // @ts-expect-error its fetch refuses the Request of the platform
  createClient({ baseUrl, apiKey: account.key, fetch });
  const client = createClient({ baseUrl, apiKey: account.key, fetch, Request });
  const { data, status } = await client.createShipment(shipmentRequest()).withResponse();
  expect(status).toBe(201);
  const { tracking_number } = data;
  const photo = uniquePng('undici');
  expect(await client.uploadProofFile({ tracking_number, kind: 'photo', file: photo })).toMatch(/^upl_/);
  const stream = client.streamEvents();
  expect((await stream.next()).value).toMatchObject({ data: { shipment: { tracking_number } } });
  await stream.return();
});

test('a redirect of the API is not followed', async () => {
  await using stub = await startStub((_, response) => void response.writeHead(301, { Location: '/v2' }).end());
  await expect(stub.client.listShipments()).rejects.toMatchObject({ name: 'UnexpectedResponseError', status: 301 });
  expect(stub.requests).toHaveLength(1);
});

const body = shipmentRequest();

test('createShipment creates one shipment although two responses are lost', async ({ service, account }) => {
  let lost = 2;
  const client = createClient({
    baseUrl: service.baseUrl,
    apiKey: account.key,
    fetch: async (request) => {
      const response = await fetch(request);
      if (lost-- > 0) throw new TypeError('the connection broke');
      return response;
    },
  });
  const { data, replayed } = await client.createShipment(body).withResponse();
  expect(replayed).toBe(true);
  expect((await account.client.listShipments()).data).toEqual([data]);
});

test('an error indicates a replay', async ({ account: { client } }) => {
  const { id } = await newShipment({ client });
  const cancel = { shipment_id: id, reason: 'No truck.' };
  await client.cancelShipment(cancel);
  const idempotencyKey = crypto.randomUUID();
  const attempt = () => client.cancelShipment(cancel, { idempotencyKey }).catch((error) => error);
  expect(await attempt()).toMatchObject({ code: 'invalid_transition', replayed: false });
  expect(await attempt()).toMatchObject({ code: 'invalid_transition', replayed: true });
});
