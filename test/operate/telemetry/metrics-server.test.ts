import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { expect } from 'vitest';
import { problemOf } from '../../fixtures/http.ts';
import type { Program } from '../../fixtures/process.ts';
import { open, responsesOf, summaryOf } from '../../fixtures/raw-http.ts';
import { type Service, signingKey, startService } from '../../fixtures/service.ts';
import { newAccount, test } from '../../fixtures/test.ts';
import { startWaybill } from '../cli/run.ts';
import { scrape } from './scrape.ts';

const startServing = ({ storageFolder }: Service, settings: Record<string, string>): Program =>
  startWaybill(['serve'], {
    PORT: '0',
    METRICS_PORT: '0',
    SIGNING_KEYS: signingKey,
    STORAGE_URL: `file:${storageFolder}`,
    ...settings,
  });

/** The origin of the API, and the port of the metrics. */
async function addressesOf(program: Program): Promise<{ origin: string; port: string }> {
  const [, origin = ''] = await program.waitForOutput(/listening at (http:[^"]+)"/);
  const [, port = ''] = await program.waitForOutput(/Metrics at http:\/\/127\.0\.0\.1:(\d+)\/metrics/);
  return { origin, port };
}

test('the metrics port serves GET and HEAD /metrics and nothing else, and the API port has no metrics', async () => {
  const METRICS_PORT = String(await freePort());
  await using service = await startService({ METRICS_PORT });
  const origin = `http://127.0.0.1:${METRICS_PORT}`;
  const account = await newAccount(service);
  expect(await scrape(METRICS_PORT)).toContain('# TYPE waybill_http_requests_total counter');
  const head = await fetch(`${origin}/metrics`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const headers = { authorization: `Bearer ${account.key}` };
  for (const path of ['/', '/v1/shipments', '/health/live', '/openapi.json', '/metrics/', '/docs/']) {
    expect(await problemOf(await fetch(origin + path, { headers }))).toMatchObject({ code: 'not_found' });
  }
  const posted = await fetch(`${origin}/metrics`, { method: 'POST', body: 'x' });
  expect(posted.headers.get('allow')).toBe('GET, HEAD');
  expect(await problemOf(posted)).toMatchObject({ code: 'method_not_allowed' });
  expect((await fetch(`${service.origin}/metrics`)).status).toBe(404);
});

test('without METRICS_PORT there is no metrics server', async () => {
  const log: Record<string, unknown>[] = [];
  await using _service = await startService({ LOG_LEVEL: 'info' }, log);
  expect(JSON.stringify(log)).not.toContain('/metrics');
});

test('the metrics server closes connections beyond its limit', async () => {
  const METRICS_PORT = String(await freePort());
  await using _service = await startService({ METRICS_PORT });
  const origin = `http://127.0.0.1:${METRICS_PORT}`;
  const connections = await Promise.all(Array.from({ length: 20 }, () => open({ origin })));
  const further = await open({ origin });
  expect(await further.closed).toHaveLength(0);
  connections[0]?.socket.end('GET /metrics HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  expect(String(await connections[0]?.closed)).toContain('waybill_http_requests_total');
  for (const { socket } of connections) socket.destroy();
});

test('metrics are served until the running requests of a stopping service are finished', async ({
  service,
  account,
}) => {
  await using program = startServing(service, { DRAIN_MS: '0', SHUTDOWN_TIMEOUT_MS: '60000' });
  const { origin, port } = await addressesOf(program);
  const { socket, closed } = await open({ origin });
  socket.write(
    `POST /v1/shipments HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${account.key}\r\n` +
      'content-type: application/json\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n',
  );
  await once(socket, 'data');
  program.signal('SIGTERM');
  await program.waitForOutput(/stopping after SIGTERM/);
  expect(await scrape(port)).toContain('waybill_http_connections 1\n');
  socket.write('{}');
  expect(responsesOf(await closed).map(summaryOf)).toEqual(['100', '400 invalid_request']);
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
});

test.for([
  [
    'limits the garbage that V8 keeps',
    '',
    ['--max-semi-space-size=16', '--heap-growing-percent=40', '--no-parallel-scavenge'],
  ],
  ['leaves the limits to NODE_OPTIONS', '--max-semi-space-size=1', []],
] as const)('`waybill serve` %s', async ([, NODE_OPTIONS, limits], { service }) => {
  await using program = startServing(service, { NODE_OPTIONS });
  await addressesOf(program);
  const commandLine = await readFile(`/proc/${program.pid}/cmdline`, 'utf8');
  expect(commandLine.split('\0').filter((option) => /semi-space|heap-growing|scavenge/.test(option))).toEqual(limits);
});
