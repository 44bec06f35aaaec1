import { revokeKey } from '@waybill/server/auth/administration';
import pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { clock } from '../../fixtures/clock.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { get } from '../../fixtures/requests/send.ts';
import { type Service, startService } from '../../fixtures/service/service.ts';
import { newAccount, type TestAccount } from '../../fixtures/test.ts';

/** Counts the look-ups of API keys that services started after it send to PostgreSQL. @returns how many there were */
function countLookUps(): () => number {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  const texts = () => query.mock.calls.map(([first]) => String((first as { text?: string }).text ?? first));
  return () => texts().filter((text) => text.startsWith('select') && text.includes('"secret_hash"')).length;
}

const random = (length: number): string => crypto.randomUUID().replaceAll('-', '').repeat(2).slice(0, length);
const keyOf = (id = random(12)): string => `wbk_${id}_${random(40)}`;
const idOf = ({ key }: TestAccount): string => key.split('_')[1] ?? '';
const list = (service: Service, key: string): Promise<Response> => get(service, { key }, '/shipments');
const statusOf = async (service: Service, key: string): Promise<number> => (await list(service, key)).status;

test.for(['unknown keys', 'wrong secrets of one key'])(
  '%s are looked up at most as often as the limit of their IP address allows',
  async (what) => {
    const lookUps = countLookUps();
    await using service = await startService({ RATE_LIMIT: '20' });
    const account = await newAccount(service);
    const wrong = () => keyOf(what === 'unknown keys' ? undefined : idOf(account));
    const statuses = (await concurrently(50, () => statusOf(service, wrong()))).sort();
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(30).fill(429)]);
    const before = lookUps();
    // Those of one key share a look-up; the first ones may arrive before it has its result.
    if (what !== 'unknown keys') expect(before).toBeLessThanOrEqual(20);
    else expect(before).toBe(inject('cluster') ? 0 : 20); // the processes of a cluster look up the keys
    expect([await statusOf(service, wrong()), lookUps()]).toEqual([429, before]);
  },
);

test('a known valid key is accepted over the limit of its IP address until it is revoked', async () => {
  const lookUps = countLookUps();
  const time = clock();
  await using service = await startService({ RATE_LIMIT: '5' });
  const [known, unseen] = [await newAccount(service), await newAccount(service)];
  // The first use of a valid key does not count against the limit.
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
  await revokeKey(service.db, known.id, idOf(known));
  time.forward(6000);
  const statuses = [await statusOf(service, known.key), await statusOf(service, known.key)];
  expect([statuses, lookUps()]).toEqual([[429, 429], 3]); // only the first one is looked up
});
