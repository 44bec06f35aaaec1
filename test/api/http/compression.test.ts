import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import type { Service } from '../../fixtures/service/service.ts';
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

test('each coding has an ETag of its own for conditional requests', async ({ service, account }) => {
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
