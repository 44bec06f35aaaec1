import { memoryCounter } from '@waybill/server/rate-limit/limit';
import { expect, inject } from 'vitest';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { post } from '../../fixtures/requests/post.ts';
import { get, problemOf } from '../../fixtures/requests/send.ts';
import { type Service, startService } from '../../fixtures/service/service.ts';
import { shipmentRequest } from '../../fixtures/shipments.ts';
import { test as base, newAccount, perFile } from '../../fixtures/test.ts';

const quota = 3;
/** `limited` has a low limit. Its tests use their own keys. */
const test = base.extend<{ $file: { limited: Service } }>({
  limited: perFile(() => startService({ RATE_LIMIT: String(quota) })),
});

/** Parses a `RateLimit` header of a key, a structured field of the draft. */
function rateLimitOf({ headers }: { headers: Headers }): { left: number; seconds: number } {
  const [, left, seconds] = /^"key";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  return { left: Number(left), seconds: Number(seconds) };
}

/** Sends requests one after the other, because the first use of a key also counts for the IP address for a moment. */
async function statusesOf(count: number, request: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < count) statuses.push((await request()).status);
  return statuses;
}

test('every response has RateLimit headers that count down to a 429 with Retry-After', async ({ limited, account }) => {
  for (const left of [2, 1, 0, 0, 0]) {
    const response = await get(limited, account, '/shipments');
    const { seconds, ...others } = rateLimitOf(response);
    expect(others).toEqual({ left });
    expect(response.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60');
    expect(seconds > 0 && seconds <= 60).toBe(true);
    if (response.status === 200) continue;
    expect(response.headers.get('retry-after')).toBe(String(seconds));
    expect(await problemOf(response)).toMatchObject({ status: 429, code: 'rate_limited' });
  }
  expect(await statusesOf(1, () => get(limited, account, '/shipments'))).toEqual([429]);
});

test('exactly the limit of concurrent requests of each key succeeds', async ({ limited, account }) => {
  // Concurrent requests to an instance that does not know the key would use up the limit of the IP address.
  const instances = inject('cluster') ? 2 : 1;
  for (const key of [account.key, await account.keyWith(['shipments:read']), (await newAccount(limited)).key]) {
    const list = () => get(limited, { key }, '/shipments');
    expect(await statusesOf(instances, list)).toEqual(Array(instances).fill(200));
    const statuses = (await concurrently(8, list)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(quota - instances).fill(200), ...Array(8 - quota + instances).fill(429)]);
  }
});

test('a replay counts, and a 429 is not stored under its Idempotency-Key', async ({ limited, service, account }) => {
  const send = (key: string, to = limited) => post(to, account, { path: '/shipments', body: shipmentRequest(), key });
  const responses = [await send('k'), await send('k'), await send('k'), await send('other')];
  expect(responses.map((response) => [response.replayed, rateLimitOf(response).left])).toEqual([
    [false, 2],
    [true, 1],
    [true, 0],
    [false, 0],
  ]);
  expect(responses.at(-1)?.status).toBe(429);
  expect(await send('other', service)).toMatchObject({ status: 201, replayed: false });
});

test('memoryCounter counts 100,000 names, removes the least recently used one and refunds what was counted', () => {
  const add = memoryCounter();
  for (let n = 0; n < 100_000; n++) add(`name ${n}`, 1);
  const used = ['name 0', 'one name more', 'name 0', 'name 1'].map((name) => add(name, 1).used);
  expect(used).toEqual([2, 1, 3, 1]);
  expect([add('another', -1).used, add('another', 1).used]).toEqual([0, 1]);
});
