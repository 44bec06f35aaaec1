import { createClient, type Fetch } from '@waybill/client';
import { afterEach, expect, vi } from 'vitest';
import { uniquePng } from '../fixtures/images.ts';
import { newShipment, shipmentRequest, upload } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { startStub } from './stub.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

test('eachShipment yields every shipment and requests only the pages that are consumed', async ({
  service,
  account,
}) => {
  const created: string[] = [];
  for (let n = 0; n < 7; n++) created.unshift((await newShipment(account)).id);
  const queries: string[] = [];
  const counting: Fetch = (request) => {
    queries.push(new URL(request.url).search);
    return fetch(request);
  };
  const client = createClient({ baseUrl: service.baseUrl, apiKey: account.key, fetch: counting });

  const ids = (await collect(client.eachShipment({ limit: 3, status: 'scheduled' }))).map(({ id }) => id);
  expect(ids).toEqual(created);
  expect(queries).toHaveLength(3);
  for (const search of queries) expect(search).toMatch(/^\?limit=3&status=scheduled/);

  queries.length = 0;
  for await (const { id } of client.eachShipment({ limit: 3 })) if (id === created[2]) break;
  expect(queries).toHaveLength(1);
  expect(await collect(client.eachShipment({ status: 'delivered' }))).toEqual([]);
});

test('eachShipment rejects when a page rejects', async ({ service, account }) => {
  const client = createClient({ baseUrl: service.baseUrl, apiKey: account.key });
  await expect(collect(client.eachShipment({ limit: 0 }))).rejects.toMatchObject({ code: 'invalid_request' });
  const reason = new Error('enough');
  const shipments = client.eachShipment({}, { signal: AbortSignal.abort(reason) });
  await expect(collect(shipments)).rejects.toBe(reason);
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

test('uploadProofFile accepts a Blob and rejects one with another content', async ({ account }) => {
  const { tracking_number } = await newShipment(account);
  const send = (file: Blob) =>
    account.client.uploadProofFile({ tracking_number, kind: 'photo', file, content_type: 'image/png' });
  expect(await send(new Blob([uniquePng('blob')], { type: 'text/plain' }))).toMatch(/^upl_/);
  await expect(send(new Blob(['no image']))).rejects.toMatchObject({ code: 'file_mismatch' });
});

test('path values are percent-encoded', async () => {
  await using stub = await startStub((_, response) => void response.writeHead(500).end());
  const values = ['a/b', '../x', 'a?b#c', 'å %2f', 'a;b,c', '...'];
  for (const shipment_id of values) await stub.client.getShipment({ path: { shipment_id } }).catch(() => {});
  expect(stub.requests.map(({ url }) => url)).toEqual([
    '/v1/shipments/a%2Fb',
    '/v1/shipments/..%2Fx',
    '/v1/shipments/a%3Fb%23c',
    '/v1/shipments/%C3%A5%20%252f',
    '/v1/shipments/a%3Bb%2Cc',
    '/v1/shipments/...',
  ]);
});

test.for(['', '.', '..'])("the path value '%s' is refused before a request is sent", async (value) => {
  await using stub = await startStub((_, response) => void response.end());
  await expect(stub.client.getShipment({ path: { shipment_id: value } })).rejects.toThrow(
    new TypeError(`path.shipment_id must be an identifier, not "${value}"`),
  );
  const file = { tracking_number: value, kind: 'photo', file: uniquePng(''), content_type: 'image/png' } as const;
  await expect(stub.client.uploadProofFile(file)).rejects.toThrow(TypeError);
  expect(stub.requests).toEqual([]);
});

test('headers of a call replace headers of the client', async () => {
  await using stub = await startStub((_, response) => void response.end('{}'), { headers: { 'X-A': '1', 'X-B': '1' } });
  await stub.client.createShipment({ body: shipmentRequest(), headers: { 'X-B': '2' } });
  expect(stub.requests[0]?.headers).toMatchObject({
    'x-a': '1',
    'x-b': '2',
    authorization: 'Bearer wbk_stub',
    'content-type': 'application/json',
  });
});

test('createClient accepts a base URL that ends with a slash', async ({ service, account }) => {
  const client = createClient({ baseUrl: `${service.baseUrl}/`, apiKey: account.key });
  expect((await client.listShipments()).status).toBe(200);
});

test('createClient throws in a browser', () => {
  vi.stubGlobal('document', {});
  expect(() => createClient({ apiKey: 'wbk_a_b' })).toThrow(/must not be in a browser/);
});

test.for([
  [{ apiKey: '' }, 'apiKey'],
  [{ apiKey: 'wbk_a_b\n' }, 'apiKey'],
  [{ apiKey: 'Bearer wbk_a_b' }, 'apiKey'],
  [{ apiKey: 'wbk_a_b', baseUrl: '' }, 'baseUrl'],
  [{ apiKey: 'wbk_a_b', baseUrl: 'api.example.com/v1' }, 'baseUrl'],
  [{ apiKey: 'wbk_a_b', baseUrl: 'https://api.example.com/v1?x=1' }, 'baseUrl'],
] as const)('createClient throws for %j', ([options, name]) => {
  expect(() => createClient(options)).toThrow(TypeError);
  expect(() => createClient(options)).toThrow(name);
});
