import { beforeAll, describe, expect } from 'vitest';
import { contractOperations } from '../fixtures/contract.ts';
import { problemOf, send } from '../fixtures/http.ts';
import { type Service, startService } from '../fixtures/service.ts';
import { newShipment, shipmentIn, shipmentRequest } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { post } from '../idempotency/post.ts';

const get = (service: Service, key: string, path = '/shipments') =>
  fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${key}` } });

/** Parses a `RateLimit` header, a structured field of the draft. */
function rateLimitOf({ headers }: { headers: Headers }): { name: string; left: number; seconds: number } {
  const [, name = '', left, seconds] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  return { name, left: Number(left), seconds: Number(seconds) };
}

const limited = (quota = 3): Promise<Service> => startService({ RATE_LIMIT: String(quota) });

test('every response has RateLimit headers that count down to a 429 with Retry-After', async () => {
  await using service = await limited();
  const { key } = await newAccount(service);
  for (const left of [2, 1, 0]) {
    const response = await get(service, key);
    expect(response.status).toBe(200);
    expect(response.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60');
    expect(rateLimitOf(response)).toMatchObject({ name: 'key', left });
    expect(rateLimitOf(response).seconds).toBeGreaterThan(0);
    expect(rateLimitOf(response).seconds).toBeLessThanOrEqual(60);
  }
  for (const attempt of [1, 2]) {
    const refused = await get(service, key);
    expect(rateLimitOf(refused)).toMatchObject({ name: 'key', left: 0 });
    expect(refused.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60');
    expect(refused.headers.get('retry-after')).toBe(String(rateLimitOf(refused).seconds));
    expect([attempt, await problemOf(refused)]).toMatchObject([attempt, { status: 429, code: 'rate_limited' }]);
  }
});

test('exactly the limit of concurrent requests succeeds', async () => {
  await using service = await limited(10);
  const { key } = await newAccount(service);
  const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await get(service, key)).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(30);
});

test('each key has its own limit, also within one account', async () => {
  await using service = await limited(1);
  const [account, other] = [await newAccount(service), await newAccount(service)];
  for (const key of [account.key, await account.keyWith(['shipments:read']), other.key]) {
    expect((await get(service, key)).status).toBe(200);
    expect((await get(service, key)).status).toBe(429);
  }
});

describe('with a limit of one request a minute', () => {
  // Keys are counted each for itself, so the operations can share a service.
  let service: Service;
  beforeAll(async () => {
    service = await limited(1);
    return () => service[Symbol.asyncDispose]();
  });

  test.for(
    contractOperations.filter(({ scope }) => scope !== null).map((operation) => [operation.id, operation] as const),
  )(
    '%s returns 429 over the limit of the key, before it checks scope, path or body',
    async ([, operation], { account }) => {
      const invalid = { body: { no: 1 }, path: { shipment_id: 'x', tracking_number: 'x' } };
      await get(service, account.key);
      const over = await send(service.baseUrl, operation, { key: account.key, ...invalid });
      expect(await problemOf(over)).toMatchObject({ status: 429 });
      const key = await account.keyWith([operation.scope === 'shipments:read' ? 'tracking:read' : 'shipments:read']);
      expect((await send(service.baseUrl, operation, { key, ...invalid })).status).toBe(403);
      expect((await send(service.baseUrl, operation, { key, ...invalid })).status).toBe(429);
    },
  );
});

test('an invalid request counts against the limit', async () => {
  await using service = await limited(3);
  const { key } = await newAccount(service);
  const statuses: number[] = [];
  for (const path of ['/shipments?limit=0', '/shipments/x', '/tracking/FRT-1999-000001', '/shipments']) {
    statuses.push((await get(service, key, path)).status);
  }
  expect(statuses).toEqual([400, 404, 404, 429]);
});

test('failed authentication counts against the limit of the IP address, which does not limit known valid keys', async () => {
  await using service = await limited(3);
  const { key } = await newAccount(service);
  expect((await get(service, key)).status).toBe(200);
  const flipped = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
  const responses = [];
  for (const invalid of ['invalid', flipped, '']) responses.push(await get(service, invalid));
  expect(responses.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(responses.map((response) => rateLimitOf(response))).toMatchObject(
    [2, 1, 0].map((left) => ({ name: 'address', left })),
  );
  expect(responses[0]?.headers.get('ratelimit-policy')).toBe('"address";q=3;w=60');
  const refused = await get(service, 'invalid');
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(await problemOf(refused)).toMatchObject({ status: 429 });
  const valid = await get(service, key);
  expect(rateLimitOf(valid)).toMatchObject({ name: 'key', left: 1 });
  expect(valid.status).toBe(200);
});

test('file requests count for the IP address, behind a trusted proxy for the caller’s', async ({ service: shared }) => {
  const account = await newAccount(shared);
  const { tracking_number } = await shipmentIn(account, 'delivered');
  const { data } = await account.client.getProofOfDelivery({ path: { tracking_number } });
  const token = data.signature_url.split('/').at(-1);
  for (const [trust, second] of [
    ['', 429],
    ['127.0.0.1', 404],
  ] as const) {
    await using service = await startService({ RATE_LIMIT: '1', TRUST_PROXY: trust });
    const file = (from: string, signed = token) =>
      fetch(`${service.baseUrl}/files/${signed}`, { headers: { 'x-forwarded-for': from } });
    const first = await file('203.0.113.1', 'nothing');
    expect([first.status, rateLimitOf(first)]).toMatchObject([404, { name: 'address', left: 0 }]);
    expect((await file('203.0.113.1', 'nothing')).status).toBe(429);
    expect((await file('203.0.113.2', 'nothing')).status).toBe(second);
  }
});

test('a request over the limit is not stored under its Idempotency-Key', async ({ service: shared }) => {
  await using service = await limited(1);
  const account = await newAccount(shared);
  await get(service, account.key);
  const request = { path: '/shipments', body: shipmentRequest(), key: 'k' };
  expect(await post(service, account, request)).toMatchObject({ status: 429, replayed: false });
  expect(await post(shared, account, request)).toMatchObject({ status: 201, replayed: false });
  expect(await post(shared, account, request)).toMatchObject({ status: 201, replayed: true });
});

test('a replay counts against the limit', async () => {
  await using service = await limited(3);
  const account = await newAccount(service);
  const request = { path: '/shipments', body: shipmentRequest(), key: 'k' };
  const responses = [];
  for (let n = 0; n < 3; n++) responses.push(await post(service, account, request));
  expect(responses.map((response) => [response.replayed, rateLimitOf(response).left])).toEqual([
    [false, 2],
    [true, 1],
    [true, 0],
  ]);
});

test('a 304 has RateLimit headers', async ({ service, account }) => {
  const { id } = await newShipment(account);
  const headers = { authorization: `Bearer ${account.key}`, 'if-none-match': '*' };
  const response = await fetch(`${service.baseUrl}/shipments/${id}`, { headers });
  expect(response.status).toBe(304);
  expect(rateLimitOf(response).name).toBe('key');
});
