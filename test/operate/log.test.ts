import { open } from 'node:fs/promises';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { expect, vi } from 'vitest';
import { get } from '../fixtures/requests/send.ts';
import { type Service, signingKey } from '../fixtures/service/service.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { startWaybill } from './cli/run-waybill.ts';
import { samples } from './telemetry/scrape.ts';

/** Linux refuses each write to it with ENOSPC. */
const openFullDisk = () => open('/dev/full', 'w');

/** Starts `waybill serve` on the database of a service. @param stdout a file; by default a pipe with a reader */
async function startServe({ storageFolder }: Service, stdout?: number) {
  const [port, METRICS_PORT] = [await freePort(), String(await freePort())];
  const settings = { PORT: String(port), METRICS_PORT, STORAGE_URL: `file:${storageFolder}`, SIGNING_KEYS: signingKey };
  const program = startWaybill(['serve'], settings, stdout);
  const origin = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${origin}/health/ready`)).status).toBe(200), waitTimeout);
  const dropped = async () => (await samples(METRICS_PORT)).get('waybill_log_lines_dropped_total') ?? -1;
  return { program, path: { origin, baseUrl: `${origin}/v1` }, dropped };
}

test.for([
  ['whose reader has ended', 'EPIPE'],
  ['on a full disk', 'ENOSPC'],
  ['that nobody reads any more', ''],
])('a service with a log %s serves requests, and stops on SIGTERM', async ([, code = ''], { service, account }) => {
  await using file = code === 'ENOSPC' ? await openFullDisk() : undefined;
  const { program, path, dropped } = await startServe(service, file?.fd);
  await using _ = program;
  if (code) program.endReader();
  else program.stopReader();
  // More lines than a pipe and the buffers of this process hold.
  for (let count = 0; count < (code ? 1 : 2000); count++)
    expect((await get(path, account, '/shipments')).status).toBe(200);
  await vi.waitFor(async () => {
    const statuses = [await get(path, account, '/shipments'), await fetch(`${path.origin}/health/live`)];
    expect(statuses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await dropped()) > 0).toBe(code !== '');
  }, waitTimeout);
  program.signal('SIGTERM');
  const stderr = expect.stringMatching(code ? `^The log .+${code}.+\n$` : '');
  expect(await program.ended).toMatchObject({ code: 0, stderr });
});

test.for([
  ['on a full disk', 'The output cannot be written: ENOSPC'],
  ['whose reader has ended', ''],
])('a command with an output %s exits with 1', async ([, message = '']) => {
  await using file = message === '' ? undefined : await openFullDisk();
  const program = startWaybill(['check', '--help'], {}, file?.fd);
  program.endReader();
  expect(await program.ended).toMatchObject({ code: 1, stderr: expect.stringMatching(`^${message}`) });
});
