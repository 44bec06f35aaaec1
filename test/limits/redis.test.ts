import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { exitWithParent } from '@waybill/tools/exit-with-parent';
import { freePort } from '@waybill/tools/free-port';
import { expect, onTestFinished, vi } from 'vitest';
import { patience } from '../harness/patience.ts';
import { startService } from '../harness/service.ts';
import { newAccount, test } from '../harness/test.ts';

const hasRedis = ((): boolean => {
  try {
    execFileSync('redis-server', ['--version']);
    return true;
  } catch {
    return false;
  }
})();
const testWithRedis = test.skipIf(!hasRedis);
const why = hasRedis ? '' : ' (skipped: there is no redis-server on this machine)';

async function startRedis(port: number): Promise<ChildProcess> {
  const redis = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: 'pipe' });
  exitWithParent(redis);
  onTestFinished(() => void redis.kill('SIGKILL'));
  let said = '';
  redis.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await vi.waitFor(() => expect(said).toContain('Ready to accept connections'), patience);
  return redis;
}

const get = async ({ baseUrl }: { baseUrl: string }, key: string): Promise<number> =>
  (await fetch(`${baseUrl}/shipments`, { headers: { authorization: `Bearer ${key}` } })).status;

testWithRedis(`two services that share a Redis share the limit${why}`, async () => {
  const port = await freePort();
  await startRedis(port);
  const settings = { RATE_LIMIT: '4', REDIS_URL: `redis://127.0.0.1:${port}` };
  await using first = await startService(settings);
  await using second = await startService(settings);
  // Until both are connected each counts for itself; a busy machine takes a while.
  await vi.waitFor(async () => {
    const { key } = await newAccount(first);
    const statuses = [];
    for (const service of [first, second, first, second, first, second]) statuses.push(await get(service, key));
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  }, patience);
});

testWithRedis(`when Redis goes away requests go through${why}`, async () => {
  const port = await freePort();
  const redis = await startRedis(port);
  await using service = await startService({ REDIS_URL: `redis://127.0.0.1:${port}` });
  const { key } = await newAccount(service);
  expect(await get(service, key)).toBe(200);
  redis.kill('SIGKILL');
  await once(redis, 'exit');
  for (let n = 0; n < 5; n++) expect(await get(service, key)).toBe(200);
});

test('a Redis that is not there keeps nobody out, and each service counts for itself', async () => {
  const port = await freePort();
  await using service = await startService({ RATE_LIMIT: '3', REDIS_URL: `redis://127.0.0.1:${port}` });
  const { key } = await newAccount(service);
  const statuses = [];
  for (let n = 0; n < 4; n++) statuses.push(await get(service, key));
  expect(statuses).toEqual([200, 200, 200, 429]);
});
