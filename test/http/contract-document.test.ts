import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { expect } from 'vitest';
import { type Service, startService } from '../fixtures/service.ts';
import { test } from '../fixtures/test.ts';

/** Unlike `fetch`, this sends only the headers given and leaves the body as it is. */
async function get({ origin }: Service, headers: Record<string, string>) {
  const sent = request(`${origin}/openapi.json`, { headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

/** A folder of files, as the docs are. */
const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url));

const decode = { br: brotliDecompressSync, gzip: gunzipSync };

test.for([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate, zstd', undefined],
  ['gzip;q=0, br;q=0', undefined],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'gzip'],
  ['br, gzip', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0, *', 'gzip'],
] as const)('/openapi.json for %o has the encoding %o and its own ETag', async ([accepted, encoding], { service }) => {
  const accept = accepted === undefined ? {} : { 'accept-encoding': accepted };
  const { status, headers, body } = await get(service, accept);
  expect(status).toBe(200);
  expect(headers['content-encoding']).toBe(encoding);
  expect(headers['content-length']).toBe(String(body.length));
  const common = { vary: 'Accept-Encoding', 'cache-control': 'public, max-age=60' };
  expect(headers).toMatchObject({ ...common, 'content-type': 'application/json; charset=utf-8' });
  const json = encoding ? decode[encoding](body) : body;
  const { servers, paths, ...rest } = JSON.parse(json.toString());
  expect(servers).toEqual([expect.objectContaining({ url: service.baseUrl })]);
  const { get: file } = paths['/files/{file_token}'];
  expect(file.servers).toEqual([expect.objectContaining({ url: service.baseUrl })]);
  file.servers = contract.paths['/files/{file_token}'].get.servers;
  expect({ servers: contract.servers, paths, ...rest }).toEqual(contract);
  if (encoding) expect(body.length * 4).toBeLessThan(json.length);

  const etag = String(headers.etag);
  expect(etag).toMatch(/^"[^"]+"$/);
  for (const value of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
    const known = await get(service, { ...accept, 'if-none-match': value });
    expect([value, known]).toMatchObject([value, { status: 304, headers: { ...common, etag } }]);
    expect(known.body).toHaveLength(0);
    expect(known.headers).not.toHaveProperty('content-encoding');
  }
  const others = await Promise.all(
    ['gzip', 'br', 'identity'].map((other) => get(service, { 'accept-encoding': other })),
  );
  const different = others.map((other) => String(other.headers.etag)).filter((other) => other !== etag);
  expect(different).toHaveLength(2);
  expect((await get(service, { ...accept, 'if-none-match': different.join(', ') })).status).toBe(200);
});

test('/openapi.json and the docs count against the rate limit of the IP address, health checks do not', async () => {
  await using service = await startService({ RATE_LIMIT: '3', DOCS_DIR: fixtures });
  const status = async (path: string) => (await fetch(service.origin + path)).status;
  const paths = ['/openapi.json', '/docs/http.ts', '/docs/none.html', '/openapi.json', '/docs/http.ts', '/'];
  const statuses = [];
  for (const path of paths) statuses.push(await status(path));
  expect(statuses).toEqual([200, 200, 404, 429, 429, 429]);
  expect(await status('/health/live')).toBe(200);
});
