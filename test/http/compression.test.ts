import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { concurrently } from '../fixtures/concurrently.ts';
import { newShipment, shipmentRequest } from '../fixtures/shipments.ts';
import { type TestAccount, test } from '../fixtures/test.ts';

type Target = { baseUrl: string };

/** Sends a GET without the decompression of `fetch`. */
function read({ baseUrl }: Target, { key }: Pick<TestAccount, 'key'>, path: string, headers = {}, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    const sent = request(baseUrl + path, { method, headers: { authorization: `Bearer ${key}`, ...headers } });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const { statusCode: status = 0 } = response;
      buffer(response).then((bytes) => resolve({ status, headers: response.headers, bytes }), reject);
    });
    sent.end();
  });
}

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
])('Accept-Encoding "%s" returns the coding %s', async ([accepted, coding], { service, account }) => {
  await concurrently(3, () => newShipment(account));
  const plain = await read(service, account, '/shipments');
  expect(plain.headers['content-encoding']).toBeUndefined();
  const { status, headers, bytes } = await read(service, account, '/shipments', { 'accept-encoding': accepted });
  expect([status, headers['content-encoding']]).toEqual([200, coding]);
  expect(headers['content-length']).toBe(String(bytes.length));
  expect((coding ? decoders[coding](bytes) : bytes).toString()).toBe(plain.bytes.toString());
  if (coding) expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
});

test('a short response is not compressed, and neither is a problem', async ({ service, account }) => {
  const accepted = { 'accept-encoding': 'br, gzip' };
  const { id } = await newShipment(account);
  const { headers, bytes } = await read(service, account, `/shipments/${id}`, accepted);
  expect(bytes.length).toBeLessThan(1024);
  expect(headers['content-encoding']).toBeUndefined();
  const refused = await read(service, account, `/shipments/${'x'.repeat(400)}?${'a=1&'.repeat(300)}`, accepted);
  expect([refused.status, refused.headers['content-encoding']]).toEqual([404, undefined]);
});

test('each coding has an ETag of its own, which names the same version', async ({ service, account }) => {
  const path = `/shipments/${(await longShipment(account)).id}`;
  const plain = await read(service, account, path);
  const tags = [String(plain.headers.etag)];
  for (const coding of ['br', 'gzip'] as const) {
    const encoded = await read(service, account, path, { 'accept-encoding': coding });
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
      const unchanged = await read(service, account, path, headers);
      // It freshens the stored response with the same ETag (RFC 9111, section 4.3.4).
      expect([unchanged.status, unchanged.headers.etag]).toEqual([304, tags[index]]);
      expect(unchanged.headers['content-encoding']).toBeUndefined();
    }
  }
});

test('HEAD of a compressed response has the headers of GET', async ({ service, account }) => {
  const path = `/shipments/${(await longShipment(account)).id}`;
  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map((method) => read(service, account, path, { 'accept-encoding': 'gzip' }, method)),
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
  const plain = await read(service, account, path);
  expect(plain.bytes.length).toBeGreaterThan(140_000);
  for (const coding of ['br', 'gzip'] as const) {
    const { headers, bytes } = await read(service, account, path, { 'accept-encoding': coding });
    expect(headers).toMatchObject({ 'content-encoding': coding, 'content-length': String(bytes.length) });
    expect(decoders[coding](bytes).toString()).toBe(plain.bytes.toString());
  }
});

test('an ETag of a compressed response is valid in If-Match', async ({ service, account }) => {
  const url = `http://127.0.0.1:9/${'long-path/'.repeat(150)}`;
  const { id } = await account.client.createWebhookEndpoint({ url });
  const { headers } = await read(service, account, `/webhook_endpoints/${id}`, { 'accept-encoding': 'gzip' });
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', etag: expect.stringMatching(/-gzip"$/) });
  const path = { webhook_endpoint_id: id };
  await account.client.deleteWebhookEndpoint(path, { ifMatch: String(headers.etag) });
});
