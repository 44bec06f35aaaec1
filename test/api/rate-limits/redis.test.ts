import { hasRedis, type RedisServer, redisServer } from '@waybill/tools/lab/cluster/redis-server';
import { startProxy } from '@waybill/tools/lab/network/proxy';
import { expect, test, vi } from 'vitest';
import { get } from '../../fixtures/requests/send.ts';
import { type Service, startService } from '../../fixtures/service/service.ts';
import { newAccount, type TestAccount } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';

const testWithRedis = test.skipIf(!hasRedis).concurrent;
const why = hasRedis ? '' : ' (skipped: there is no redis-server on this machine)';

/** A command may take long on a busy machine without Redis being frozen. */
const settingsFor = (port: number) => ({ REDIS_URL: `redis://127.0.0.1:${port}`, REDIS_TIMEOUT_MS: '3000' });
const list = async (service: Service, account: TestAccount) => (await get(service, account, '/shipments')).status;

/** Waits until a service counts with Redis. On a busy machine, Redis may be unreachable for a while. */
const waitUntilShared = (redis: RedisServer, service: Service, account: TestAccount) =>
  vi.waitFor(async () => {
    const before = await redis.counts();
    expect([await list(service, account), await redis.counts()]).toEqual([200, before + 1]);
  }, waitTimeout);

testWithRedis(`two services that share a Redis share the limit, also over a slow network${why}`, async () => {
  await using redis = await redisServer();
  await redis.start();
  await using proxy = await startProxy(redis.port);
  await proxy.set({ kind: 'delay', ms: 50 });
  await using first = await startService({ ...settingsFor(redis.port), RATE_LIMIT: '4' });
  await using second = await startService({ ...settingsFor(proxy.port), RATE_LIMIT: '4' });
  // Until both are connected each counts for itself.
  await vi.waitFor(async () => {
    const account = await newAccount(first);
    const statuses = [];
    for (const service of [first, second, first, second, first, second]) statuses.push(await list(service, account));
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  }, waitTimeout);
});

type Change = (redis: RedisServer) => unknown;
const outages: [name: string, fail: Change | undefined, recover: Change][] = [
  ['is frozen', (redis) => redis.signal('SIGSTOP'), (redis) => redis.signal('SIGCONT')],
  ['is killed', (redis) => redis.kill(), (redis) => redis.start()],
  ['is missing at the start', undefined, (redis) => redis.start()],
];

const unreachable = 'Redis is unreachable: each instance counts requests separately';
const reachable = 'Redis is reachable again';

testWithRedis.for(outages)(
  `while Redis %s each service counts for itself, sends it nothing and logs only the change${why}`,
  async ([, fail, recover]) => {
    await using redis = await redisServer();
    if (fail) await redis.start();
    const log: Record<string, unknown>[] = [];
    const messages = () => log.map(({ msg }) => String(msg)).filter((message) => message.includes('Redis'));
    await using service = await startService({ ...settingsFor(redis.port), LOG_LEVEL: 'info' }, log);
    const account = await newAccount(service);
    if (fail) await waitUntilShared(redis, service, account);
    const countsBefore = fail ? await redis.counts() : 0;
    const earlier = fail ? messages() : [];

    const start = performance.now();
    await fail?.(redis);
    let waited = 0; // the requests that Redis may have been sent
    await vi.waitFor(async () => {
      waited++;
      expect(await list(service, account)).toBe(200);
      expect(messages()).toEqual([...earlier, unreachable]);
    }, waitTimeout);
    for (let n = 0; n < 50; n++) expect(await list(service, account)).toBe(200);
    expect(messages()).toEqual([...earlier, unreachable]);

    await recover(redis);
    await vi.waitFor(() => expect(messages().at(-1)).toBe(reachable), waitTimeout);
    // Each attempt to reconnect counts once, at most one a second; none of the 50 requests did.
    const attempts = Math.ceil((performance.now() - start) / 1000);
    if (fail) expect((await redis.counts()) - countsBefore).toBeLessThan(waited + attempts + 5);
    await waitUntilShared(redis, service, account);
    const all = messages();
    expect(all).toEqual(all.map((_, index) => (index % 2 === 0 ? unreachable : reachable)));
    expect(all.at(-1)).toBe(reachable);
    expect(JSON.stringify(log)).not.toContain('"stack"');
  },
);

test('a service without its Redis still applies the limit', async () => {
  await using redis = await redisServer();
  await using service = await startService({ ...settingsFor(redis.port), RATE_LIMIT: '3' });
  const account = await newAccount(service);
  const statuses = [];
  for (let n = 0; n < 4; n++) statuses.push(await list(service, account));
  expect(statuses).toEqual([200, 200, 200, 429]);
});
