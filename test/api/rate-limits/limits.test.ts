import { fileURLToPath } from 'node:url';
import { expect, inject } from 'vitest';
import { concurrently } from '../../fixtures/concurrently.ts';
import { get, problemOf } from '../../fixtures/http.ts';
import { post } from '../../fixtures/post.ts';
import { type Service, startService } from '../../fixtures/service.ts';
import { shipmentRequest } from '../../fixtures/shipments.ts';
import { test as base, newAccount, perFile } from '../../fixtures/test.ts';

const quota = 3;

/** `limited` has a low limit. Its tests use their own keys and, as `X-Forwarded-For`, their own IP addresses. */
const test = base.extend<{ $file: { limited: Service } }>({
  limited: perFile(() => startService({ RATE_LIMIT: String(quota), TRUST_PROXY: '127.0.0.1' })),
});

/** Parses a `RateLimit` header, a structured field of the draft. */
function rateLimitOf({ headers }: { headers: Headers }): { name: string; left: number; seconds: number } {
  const [, name = '', left, seconds] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  return { name, left: Number(left), seconds: Number(seconds) };
}

/** Sends requests one after the other, because the first use of a key also counts for the IP address for a moment. */
async function statusesOf(count: number, request: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < count) statuses.push((await request()).status);
  return statuses;
}
const exhaust = (service: Service, key: string): Promise<number[]> =>
  statusesOf(quota, () => get(service, { key }, '/shipments'));

test('every response has RateLimit headers that count down to a 429 with Retry-After', async ({ limited, account }) => {
  for (const left of [2, 1, 0]) {
    const response = await get(limited, account, '/shipments');
    expect(response.status).toBe(200);
    expect(response.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60');
    expect(rateLimitOf(response)).toMatchObject({ name: 'key', left });
    expect(rateLimitOf(response).seconds).toBeGreaterThan(0);
    expect(rateLimitOf(response).seconds).toBeLessThanOrEqual(60);
  }
  for (const attempt of [1, 2]) {
    const refused = await get(limited, account, '/shipments');
    expect(rateLimitOf(refused)).toMatchObject({ name: 'key', left: 0 });
    expect(refused.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60');
    expect(refused.headers.get('retry-after')).toBe(String(rateLimitOf(refused).seconds));
    expect([attempt, await problemOf(refused)]).toMatchObject([attempt, { status: 429, code: 'rate_limited' }]);
  }
});

test('exactly the limit of concurrent requests of each key succeeds', async ({ limited, account }) => {
  // Concurrent requests to an instance that does not know the key would use up the limit of the IP address.
  const instances = inject('cluster') ? 2 : 1;
  for (const key of [account.key, await account.keyWith(['shipments:read']), (await newAccount(limited)).key]) {
    const list = () => get(limited, { key }, '/shipments');
    expect(await statusesOf(instances, list)).toEqual(Array(instances).fill(200));
    const responses = await concurrently(8, list);
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array(quota - instances).fill(200),
      ...Array(8 - quota + instances).fill(429),
    ]);
  }
});

// contract-coverage sends every operation a request over the limit.
test('a request over the limit returns 429 before its scope, path and body are checked', async ({
  limited,
  account,
}) => {
  const request = { path: '/shipments/x/cancel', body: { no: 1 } };
  await exhaust(limited, account.key);
  expect(await post(limited, account, request)).toMatchObject({ status: 429 });
  const key = await account.keyWith(['shipments:read']);
  expect(await statusesOf(quota + 1, () => post(limited, { key }, request))).toEqual([403, 403, 403, 429]);
});

test('file requests count for the IP address', async ({ limited }) => {
  const file = (ip: string) => fetch(`${limited.baseUrl}/files/none`, { headers: { 'x-forwarded-for': ip } });
  for (const left of [2, 1, 0]) {
    const response = await file('203.0.113.2');
    expect([response.status, rateLimitOf(response)]).toMatchObject([404, { name: 'address', left }]);
  }
  expect((await file('203.0.113.2')).status).toBe(429);
  expect((await file('203.0.113.3')).status).toBe(404);
});

test('a request over the limit is not stored under its Idempotency-Key', async ({ limited, service, account }) => {
  await exhaust(limited, account.key);
  const request = { path: '/shipments', body: shipmentRequest(), key: 'k' };
  expect(await post(limited, account, request)).toMatchObject({ status: 429, replayed: false });
  expect(await post(service, account, request)).toMatchObject({ status: 201, replayed: false });
  expect(await post(service, account, request)).toMatchObject({ status: 201, replayed: true });
});

test('a replay counts against the limit', async ({ limited, account }) => {
  const request = { path: '/shipments', body: shipmentRequest(), key: 'k' };
  const responses = [];
  for (let n = 0; n < 3; n++) responses.push(await post(limited, account, request));
  expect(responses.map((response) => [response.replayed, rateLimitOf(response).left])).toEqual([
    [false, 2],
    [true, 1],
    [true, 0],
  ]);
});

/** A folder of files, as the docs are. */
const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url));

test('/openapi.json and the docs count against the rate limit of the IP address, health checks do not', async () => {
  await using service = await startService({ RATE_LIMIT: '3', DOCS_DIR: fixtures });
  const status = async (path: string) => (await fetch(service.origin + path)).status;
  const paths = ['/openapi.json', '/docs/http.ts', '/docs/none.html', '/openapi.json', '/docs/http.ts', '/'];
  const statuses = [];
  for (const path of paths) statuses.push(await status(path));
  expect(statuses).toEqual([200, 200, 503, 429, 429, 429]); // the docs have no first page yet
  expect(await status('/health/live')).toBe(200);
});
