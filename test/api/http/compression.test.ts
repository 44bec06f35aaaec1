import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { expect } from 'vitest';
import { concurrently } from '../../fixtures/concurrently.ts';
import type { Service } from '../../fixtures/service.ts';
import { newShipment } from '../../fixtures/shipments.ts';
import { type TestAccount, test } from '../../fixtures/test.ts';

/** Sends a request with only these headers. Unlike `fetch`, it leaves the body as it is. */
async function read(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const [response] = (await once(request(url, { method, headers }).end(), 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

/** Returns a function that reads a path of the API with a key. */
const reader =
  ({ baseUrl }: Service, { key }: TestAccount, path: string) =>
  (coding = 'identity', headers = {}, method = 'GET') =>
    read(baseUrl + path, { authorization: `Bearer ${key}`, 'accept-encoding': coding, ...headers }, method);

const decoders = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };
const codings = ['identity', 'gzip', 'br'] as const;
/** The header of a response with a coding. */
const encodingOf = (coding: keyof typeof decoders) => (coding === 'identity' ? undefined : coding);

test('Accept-Encoding selects the coding of a long response', async ({ service, account }) => {
  await concurrently(3, () => newShipment(account));
  const get = reader(service, account, '/shipments');
  const plain = (await get()).bytes.toString();
  for (const [accepted, coding] of [
    ['gzip, deflate, br', 'gzip'],
    ['br, gzip', 'br'],
    ['*', 'br'],
    ['br;q=0.5, gzip;q=1', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['identity, br;q=0.5', 'identity'],
    ['deflate', 'identity'],
    ['', 'identity'],
    ['br;q=0, gzip;q=0, identity;q=0', 'identity'],
    [`${'a,'.repeat(500)}br`, 'identity'], // the end of a long list is not read
  ] as const) {
    const { status, headers, bytes } = await get(accepted);
    expect([accepted, status, headers['content-encoding']]).toEqual([accepted, 200, encodingOf(coding)]);
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(decoders[coding](bytes).toString()).toBe(plain);
    if (coding !== 'identity') expect(bytes.length).toBeLessThan(plain.length / 2);
  }
});

test('a short response is not compressed, and neither is a problem', async ({ service, account }) => {
  const path = `/shipments/${(await newShipment(account)).id}`;
  for (const each of [path, `/shipments/${'x'.repeat(400)}?${'a=1&'.repeat(300)}`])
    expect((await reader(service, account, each)('br, gzip')).headers).not.toHaveProperty('content-encoding');
});

test('each coding has an ETag of its own, which is valid in every conditional request', async ({
  service,
  account,
}) => {
  const url = `http://127.0.0.1:9/${'long-path/'.repeat(150)}`;
  const { id } = await account.client.createWebhookEndpoint({ url });
  const get = reader(service, account, `/webhook_endpoints/${id}`);
  const responses = [await get(), await get('gzip'), await get('br')];
  const tags = responses.map(({ headers }) => String(headers.etag));
  expect(new Set(tags).size).toBe(3);
  for (const [index, { headers, bytes }] of responses.entries()) {
    const coding = codings[index] ?? 'br';
    expect([headers['content-encoding'], headers.vary]).toEqual([
      encodingOf(coding),
      expect.stringContaining('Accept-Encoding'),
    ]);
    expect(decoders[coding](bytes)).toEqual(responses[0]?.bytes);
    const head = await get(coding, {}, 'HEAD');
    expect(head.bytes.length).toBe(0);
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary'])
      expect([name, head.headers[name]]).toEqual([name, headers[name]]);
    for (const tag of tags) {
      const unchanged = await get(coding, { 'if-none-match': tag });
      // It freshens the stored response with the same ETag (RFC 9111, section 4.3.4).
      expect([unchanged.status, unchanged.headers.etag]).toEqual([304, tags[index]]);
      expect(unchanged.headers).not.toHaveProperty('content-encoding');
    }
  }
  await account.client.deleteWebhookEndpoint({ webhook_endpoint_id: id }, { ifMatch: tags[1] ?? '' });
});

test('a page that is compressed by another thread is complete', async ({ service, account }) => {
  const numbers = Array.from({ length: 400 }, (_, n) => n * 7919);
  const notes = numbers.join('🚚').slice(0, 1999);
  await concurrently(80, () => newShipment(account, { notes }));
  const get = reader(service, account, '/shipments?limit=100');
  const plain = (await get()).bytes.toString();
  expect(plain.length).toBeGreaterThan(140_000);
  for (const coding of ['br', 'gzip'] as const) {
    const { headers, bytes } = await get(coding);
    expect(headers).toMatchObject({ 'content-encoding': coding, 'content-length': String(bytes.length) });
    expect(decoders[coding](bytes).toString()).toBe(plain);
  }
});

test('/openapi.json is the contract with the URL of the service, and each coding has its own ETag', async ({
  service,
}) => {
  const get = (coding: string, etag = '"other"') =>
    read(`${service.origin}/openapi.json`, { 'accept-encoding': coding, 'if-none-match': etag });
  const common = { vary: 'Accept-Encoding', 'cache-control': 'public, max-age=60' };
  const expected = structuredClone(contract);
  const servers = [expect.objectContaining({ url: service.baseUrl })];
  Object.assign(expected.paths['/files/{file_token}'].get, { servers });
  const tags: string[] = [];
  for (const coding of codings) {
    const { status, headers, bytes } = await get(coding);
    expect([status, headers['content-encoding']]).toEqual([200, encodingOf(coding)]);
    expect(headers).toMatchObject({
      ...common,
      'content-length': String(bytes.length),
      'content-type': 'application/json; charset=utf-8',
    });
    expect(JSON.parse(decoders[coding](bytes).toString())).toEqual({ ...expected, servers });
    const etag = String(headers.etag);
    const known = await get(coding, `"a", W/${etag}`);
    expect(known).toMatchObject({ status: 304, headers: { ...common, etag }, bytes: Buffer.alloc(0) });
    tags.push(etag);
  }
  expect(new Set(tags).size).toBe(3);
  expect((await get('br', tags.slice(0, 2).join(', '))).status).toBe(200);
});
