import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { expect } from 'vitest';
import { concurrently } from '../../fixtures/concurrently.ts';
import type { Service } from '../../fixtures/service.ts';
import { newShipment, shipmentRequest } from '../../fixtures/shipments.ts';
import { type TestAccount, test } from '../../fixtures/test.ts';

/** Sends a request with only these headers. Unlike `fetch`, it leaves the body as it is. */
async function read(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const [response] = (await once(request(url, { method, headers }).end(), 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

/** Reads a path of the API with a key. */
const readPath = ({ baseUrl }: Service, { key }: TestAccount, path: string, headers = {}, method = 'GET') =>
  read(baseUrl + path, { authorization: `Bearer ${key}`, ...headers }, method);

const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
/** Its JSON has more than 1 kB. */
const longShipment = (account: TestAccount) =>
  account.client.createShipment({ ...shipmentRequest(), notes: 'Ring twice. '.repeat(100) });

test.for<[accepted: string, coding: 'br' | 'gzip' | undefined]>([
  ['gzip, deflate, br', 'gzip'],
  ['br, gzip', 'br'],
  ['gzip, deflate', 'gzip'],
  ['*', 'br'],
  ['br;q=0.5, gzip;q=1', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['identity, br;q=0.5', undefined],
  ['deflate', undefined],
  ['', undefined],
  ['br;q=0, gzip;q=0, identity;q=0', undefined],
  [`${'a,'.repeat(500)}br`, undefined], // the end of a long list is not read
])('Accept-Encoding "%s" returns the coding %s', async ([accepted, coding], { service, account }) => {
  await concurrently(3, () => newShipment(account));
  const plain = await readPath(service, account, '/shipments');
  expect(plain.headers['content-encoding']).toBeUndefined();
  const { status, headers, bytes } = await readPath(service, account, '/shipments', { 'accept-encoding': accepted });
  expect([status, headers['content-encoding']]).toEqual([200, coding]);
  expect(headers['content-length']).toBe(String(bytes.length));
  expect((coding ? decoders[coding](bytes) : bytes).toString()).toBe(plain.bytes.toString());
  if (coding) expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
});

test('a short response is not compressed, and neither is a problem', async ({ service, account }) => {
  const accepted = { 'accept-encoding': 'br, gzip' };
  const { id } = await newShipment(account);
  const { headers, bytes } = await readPath(service, account, `/shipments/${id}`, accepted);
  expect(bytes.length).toBeLessThan(1024);
  expect(headers['content-encoding']).toBeUndefined();
  const refused = await readPath(service, account, `/shipments/${'x'.repeat(400)}?${'a=1&'.repeat(300)}`, accepted);
  expect([refused.status, refused.headers['content-encoding']]).toEqual([404, undefined]);
});

test('each coding has an ETag of its own, which names the same version', async ({ service, account }) => {
  const path = `/shipments/${(await longShipment(account)).id}`;
  const plain = await readPath(service, account, path);
  const tags = [String(plain.headers.etag)];
  for (const coding of ['br', 'gzip'] as const) {
    const encoded = await readPath(service, account, path, { 'accept-encoding': coding });
    expect(encoded.headers).toMatchObject({
      'content-encoding': coding,
      vary: expect.stringContaining('Accept-Encoding'),
    });
    expect(decoders[coding](encoded.bytes).toString()).toBe(plain.bytes.toString());
    tags.push(String(encoded.headers.etag));
  }
  expect(new Set(tags).size).toBe(3);
  expect(plain.headers.vary).toContain('Accept-Encoding');
  for (const [index, accepted] of ['identity', 'br', 'gzip'].entries()) {
    for (const tag of tags) {
      const headers = { 'accept-encoding': accepted, 'if-none-match': tag };
      const unchanged = await readPath(service, account, path, headers);
      // It freshens the stored response with the same ETag (RFC 9111, section 4.3.4).
      expect([unchanged.status, unchanged.headers.etag]).toEqual([304, tags[index]]);
      expect(unchanged.headers['content-encoding']).toBeUndefined();
    }
  }
});

test('HEAD of a compressed response has the headers of GET', async ({ service, account }) => {
  const path = `/shipments/${(await longShipment(account)).id}`;
  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map((method) => readPath(service, account, path, { 'accept-encoding': 'gzip' }, method)),
  );
  expect(head?.bytes.length).toBe(0);
  for (const name of ['content-encoding', 'content-length', 'etag', 'vary']) {
    expect([name, head?.headers[name]]).toEqual([name, get?.headers[name]]);
  }
});

test('a page that is compressed by another thread is complete', async ({ service, account }) => {
  const notes = Array.from({ length: 400 }, (_, n) => n * 7919)
    .join('🚚')
    .slice(0, 1999);
  await concurrently(80, () => account.client.createShipment({ ...shipmentRequest(), notes }));
  const path = '/shipments?limit=100';
  const plain = await readPath(service, account, path);
  expect(plain.bytes.length).toBeGreaterThan(140_000);
  for (const coding of ['br', 'gzip'] as const) {
    const { headers, bytes } = await readPath(service, account, path, { 'accept-encoding': coding });
    expect(headers).toMatchObject({ 'content-encoding': coding, 'content-length': String(bytes.length) });
    expect(decoders[coding](bytes).toString()).toBe(plain.bytes.toString());
  }
});

test('an ETag of a compressed response is valid in If-Match', async ({ service, account }) => {
  const url = `http://127.0.0.1:9/${'long-path/'.repeat(150)}`;
  const { id } = await account.client.createWebhookEndpoint({ url });
  const { headers } = await readPath(service, account, `/webhook_endpoints/${id}`, { 'accept-encoding': 'gzip' });
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', etag: expect.stringMatching(/-gzip"$/) });
  const path = { webhook_endpoint_id: id };
  await account.client.deleteWebhookEndpoint(path, { ifMatch: String(headers.etag) });
});

test.for([
  [undefined, undefined],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['br;q=0, *', 'gzip'],
] as const)('/openapi.json for %o has the encoding %o and its own ETag', async ([accepted, encoding], { service }) => {
  const accept = accepted === undefined ? {} : { 'accept-encoding': accepted };
  const get = (headers: Record<string, string>) => read(`${service.origin}/openapi.json`, headers);
  const { status, headers, bytes } = await get(accept);
  expect(status).toBe(200);
  expect(headers['content-encoding']).toBe(encoding);
  expect(headers['content-length']).toBe(String(bytes.length));
  const common = { vary: 'Accept-Encoding', 'cache-control': 'public, max-age=60' };
  expect(headers).toMatchObject({ ...common, 'content-type': 'application/json; charset=utf-8' });
  const json = encoding ? decoders[encoding](bytes) : bytes;
  const { servers, paths, ...rest } = JSON.parse(json.toString());
  expect(servers).toEqual([expect.objectContaining({ url: service.baseUrl })]);
  const { get: file } = paths['/files/{file_token}'];
  expect(file.servers).toEqual([expect.objectContaining({ url: service.baseUrl })]);
  file.servers = contract.paths['/files/{file_token}'].get.servers;
  expect({ servers: contract.servers, paths, ...rest }).toEqual(contract);
  if (encoding) expect(bytes.length * 4).toBeLessThan(json.length);

  const etag = String(headers.etag);
  expect(etag).toMatch(/^"[^"]+"$/);
  for (const value of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
    const known = await get({ ...accept, 'if-none-match': value });
    expect([value, known]).toMatchObject([value, { status: 304, headers: { ...common, etag } }]);
    expect(known.bytes).toHaveLength(0);
    expect(known.headers).not.toHaveProperty('content-encoding');
  }
  const others = await Promise.all(['gzip', 'br', 'identity'].map((other) => get({ 'accept-encoding': other })));
  const different = others.map((other) => String(other.headers.etag)).filter((other) => other !== etag);
  expect(different).toHaveLength(2);
  expect((await get({ ...accept, 'if-none-match': different.join(', ') })).status).toBe(200);
});
