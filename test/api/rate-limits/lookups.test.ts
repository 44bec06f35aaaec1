import { revokeKey } from '@waybill/server/auth/administration';
import { authenticator } from '@waybill/server/auth/authenticate';
import type { Tables } from '@waybill/server/database/tables';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { clock } from '../../fixtures/clock.ts';
import { concurrently } from '../../fixtures/concurrently.ts';
import { get } from '../../fixtures/http.ts';
import { notWithCluster } from '../../fixtures/not-with-cluster.ts';
import { type Service, startService } from '../../fixtures/service.ts';
import { newAccount, type TestAccount } from '../../fixtures/test.ts';

/** Counts the look-ups of API keys that services started after it send to PostgreSQL. @returns how many there were */
function countLookUps(): () => number {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  const texts = () => query.mock.calls.map(([first]) => String((first as { text?: string }).text ?? first));
  return () => texts().filter((text) => text.startsWith('select') && text.includes('"secret_hash"')).length;
}

const random = (length: number): string => crypto.randomUUID().replaceAll('-', '').repeat(2).slice(0, length);
const unknownKey = (): string => `wbk_${random(12)}_${random(40)}`;
const wrongSecret = ({ key }: TestAccount): string => `wbk_${key.split('_')[1]}_${random(40)}`;

const list = (service: Service, key: string): Promise<Response> => get(service, { key }, '/shipments');
const statusOf = async (service: Service, key: string): Promise<number> => (await list(service, key)).status;

function countOf(statuses: number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test("unknown keys are looked up at most as often as the IP address's limit allows, also concurrently", async () => {
  const lookUps = countLookUps();
  await using service = await startService({ RATE_LIMIT: '20' });
  const statuses = await concurrently(60, () => statusOf(service, unknownKey()));
  expect(countOf(statuses)).toEqual({ 401: 20, 429: 40 });
  expect(await statusOf(service, unknownKey())).toBe(429);
  expect(lookUps()).toBe(inject('cluster') ? 0 : 20); // the processes of a cluster look up the keys
});

test('wrong secrets of one key count for the IP address and share one look-up', async () => {
  const lookUps = countLookUps();
  await using service = await startService({ RATE_LIMIT: '20' });
  const account = await newAccount(service);
  const statuses = await concurrently(50, () => statusOf(service, wrongSecret(account)));
  expect(countOf(statuses)).toEqual({ 401: 20, 429: 30 });
  expect(lookUps()).toBeLessThanOrEqual(20); // the first ones may arrive before the first look-up has its result
  const before = lookUps();
  expect(await statusOf(service, wrongSecret(account))).toBe(429);
  expect(lookUps()).toBe(before);
});

test('a known valid key is accepted over the limit of its IP address until it is revoked', async () => {
  const lookUps = countLookUps();
  const time = clock();
  await using service = await startService({ RATE_LIMIT: '5' });
  const [known, unseen] = [await newAccount(service), await newAccount(service)];
  expect(await statusOf(service, known.key)).toBe(200);
  for (const left of [4, 3, 2, 1, 0]) {
    const { status, headers } = await list(service, 'invalid');
    expect([status, headers.get('ratelimit-policy')]).toEqual([401, '"address";q=5;w=60']);
    expect(headers.get('ratelimit')).toContain(`"address";r=${left};`);
  }
  const refused = await list(service, unseen.key);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^[1-9]\d*$/)]);
  expect(lookUps()).toBe(1);
  time.forward(6000);
  const accepted = await list(service, known.key);
  expect([accepted.status, accepted.headers.get('ratelimit')]).toEqual([200, expect.stringMatching(/^"key";/)]);
  expect(lookUps()).toBe(2);
  await revokeKey(service.db, known.id, known.key.split('_')[1] ?? '');
  time.forward(6000);
  for (const attempt of [1, 2, 3]) {
    expect([attempt, await statusOf(service, known.key)]).toEqual([attempt, 429]);
    expect([attempt, lookUps()]).toEqual([attempt, 3]); // only the first one is looked up
  }
});

test('the first use of a valid key does not count against the limit of its IP address', async () => {
  await using service = await startService({ RATE_LIMIT: '3' });
  for (let n = 0; n < 5; n++) expect(await statusOf(service, (await newAccount(service)).key)).toBe(200);
  expect((await list(service, 'invalid')).headers.get('ratelimit')).toContain('"address";r=2;');
});

test('a failed look-up does not count against the limit of the IP address', async () => {
  notWithCluster('no instance starts without its database');
  await using service = await startService({ RATE_LIMIT: '2', DATABASE_URL: 'postgres://waybill@127.0.0.1:1/waybill' });
  const statuses = [];
  for (let n = 0; n < 4; n++) statuses.push(await statusOf(service, unknownKey()));
  expect(statuses).toEqual([503, 503, 503, 503]);
});

test('concurrent look-ups of more keys than the cache holds all succeed', async () => {
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(), // slow, and finds nothing
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const limit = { count: () => ({}), refund: () => {}, close: () => {} };
  const { authenticateAndCount } = authenticator(db, limit, 60_000, () => {});
  const results = await concurrently(10_001, async () => authenticateAndCount(`Bearer ${unknownKey()}`, '192.0.2.1'));
  expect(new Set(results.map(({ key }) => key))).toEqual(new Set([undefined]));
});
