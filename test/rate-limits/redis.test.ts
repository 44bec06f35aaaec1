import { freePort } from '@waybill/tools/free-port';
import { expect, vi } from 'vitest';
import { type Service, startService } from '../fixtures/service.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { askRedis, countsIn, hasRedis, type RedisServer, startRedis } from './redis-server.ts';

const testWithRedis = test.skipIf(!hasRedis);
const why = hasRedis ? '' : ' (skipped: there is no redis-server on this machine)';

/** A command may take long on a busy machine without Redis being frozen. */
const settingsFor = (port: number) => ({ REDIS_URL: `redis://127.0.0.1:${port}`, REDIS_TIMEOUT_MS: '3000' });

const get = async ({ baseUrl }: Service, key: string): Promise<number> =>
  (await fetch(`${baseUrl}/shipments`, { headers: { authorization: `Bearer ${key}` } })).status;

testWithRedis(`two services that share a Redis share the limit${why}`, async () => {
  const port = await freePort();
  await startRedis(port);
  const settings = { ...settingsFor(port), RATE_LIMIT: '4' };
  await using first = await startService(settings);
  await using second = await startService(settings);
  // Until both are connected each counts for itself.
  await vi.waitFor(async () => {
    const { key } = await newAccount(first);
    const statuses = [];
    for (const service of [first, second, first, second, first, second]) statuses.push(await get(service, key));
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  }, waitTimeout);
});

interface Outage {
  name: string;
  /** Whether Redis is there when the service starts. */
  isThere: boolean;
  fail(redis: RedisServer | undefined, port: number): unknown;
  recover(redis: RedisServer | undefined, port: number): unknown;
}
const outages: Outage[] = [
  {
    name: 'is frozen',
    isThere: true,
    fail: (redis) => redis?.signal('SIGSTOP'),
    recover: (redis) => redis?.signal('SIGCONT'),
  },
  { name: 'is killed', isThere: true, fail: (redis) => redis?.kill(), recover: (_, port) => startRedis(port) },
  { name: 'is missing at the start', isThere: false, fail: () => {}, recover: (_, port) => startRedis(port) },
  {
    name: 'refuses to write',
    isThere: true,
    fail: (_, port) => askRedis(port, 'REPLICAOF 127.0.0.1 1'),
    recover: (_, port) => askRedis(port, 'REPLICAOF NO ONE'),
  },
];

testWithRedis.for(outages)(
  `while Redis $name each service counts for itself, sends it nothing and logs only the change${why}`,
  async ({ isThere, fail, recover }) => {
    const port = await freePort();
    const redis = isThere ? await startRedis(port) : undefined;
    const log: Record<string, unknown>[] = [];
    const messages = () => log.map(({ msg }) => String(msg)).filter((message) => message.includes('Redis'));
    await using service = await startService({ ...settingsFor(port), LOG_LEVEL: 'info' }, log);
    const { key } = await newAccount(service);
    const isShared = async (): Promise<void> => {
      const before = await countsIn(port);
      expect(await get(service, key)).toBe(200);
      expect(await countsIn(port)).toBe(before + 1);
    };
    if (isThere) await vi.waitFor(isShared, waitTimeout);
    const before = isThere ? await countsIn(port) : 0;

    await fail(redis, port);
    let waited = 0; // the requests that Redis may have been sent
    await vi.waitFor(async () => {
      waited++;
      expect(await get(service, key)).toBe(200);
      expect(messages()).toEqual(['Redis is unreachable: each instance counts requests separately']);
    }, waitTimeout);
    for (let n = 0; n < 50; n++) expect(await get(service, key)).toBe(200);

    await recover(redis, port);
    await vi.waitFor(() => expect(messages()).toHaveLength(2), waitTimeout);
    expect(messages()[1]).toBe('Redis is reachable again');
    // Each attempt to reconnect counts once; none of the 50 requests did.
    if (isThere) expect((await countsIn(port)) - before).toBeLessThan(waited + 25);
    await vi.waitFor(isShared, waitTimeout);
    expect(messages()).toHaveLength(2);
    expect(JSON.stringify(log)).not.toContain('"stack"');
  },
);

test('a service without its Redis still applies the limit', async () => {
  const port = await freePort();
  await using service = await startService({ ...settingsFor(port), RATE_LIMIT: '3' });
  const { key } = await newAccount(service);
  const statuses = [];
  for (let n = 0; n < 4; n++) statuses.push(await get(service, key));
  expect(statuses).toEqual([200, 200, 200, 429]);
});
