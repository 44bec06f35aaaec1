import { execFileSync } from 'node:child_process';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { sql } from 'kysely';
import { expect, onTestFinished, vi } from 'vitest';
import { startOwnService } from '../../fixtures/database/own-database.ts';
import { installed, skippedWithout } from '../../fixtures/programs/installed.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { post } from '../../fixtures/requests/post.ts';
import { get, problemOf } from '../../fixtures/requests/send.ts';
import { startService } from '../../fixtures/service/service.ts';
import { newShipment, shipmentRequest } from '../../fixtures/shipments.ts';
import { test as base, newAccount, perFile } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { increases, samples, scrape } from './scrape.ts';

/** Starts a service with metrics. @param start with the run's database or one of its own */
async function measured(start = startService) {
  const METRICS_PORT = String(await freePort());
  const service = await start({ METRICS_PORT, DATABASE_POOL_SIZE: '3' });
  return {
    ...service,
    metricsOrigin: `http://127.0.0.1:${METRICS_PORT}`,
    text: () => scrape(METRICS_PORT),
    scrape: () => samples(METRICS_PORT),
    /** The values of metrics, by their names without `waybill_`. */
    async values(...names: string[]): Promise<(number | undefined)[]> {
      const found = await samples(METRICS_PORT);
      return names.map((name) => found.get(`waybill_${name}`));
    },
  };
}

const test = base.extend<{ $file: { service: Awaited<ReturnType<typeof measured>> } }>({
  service: perFile(() => measured()),
});

const create = { path: '/shipments', body: shipmentRequest() };

test('requests are counted by operation and status, with their durations', async ({ service, account }) => {
  const { id, tracking_number } = await newShipment(account);
  const before = await service.scrape();
  for (const path of [`/tracking/${tracking_number}`, `/shipments/${id}`, '/tracking/FRT-2026-999999999'])
    await (await get(service, account, path)).text();
  for (let repeat = 0; repeat < 3; repeat++) await post(service, account, { ...create, key: 'one' });
  await post(service, { key: 'wbk_nobody' }, create);
  await (await fetch(`${service.origin}/health/live`)).text();
  await vi.waitFor(async () => {
    const after = await service.scrape();
    const changed = (name: string) => increases(before, after, `waybill_${name}`);
    expect(changed('http_requests_total')).toEqual({
      '{operation="getTracking",status="200"}': 1,
      '{operation="getShipment",status="200"}': 1,
      '{operation="getTracking",status="404"}': 1,
      '{operation="createShipment",status="201"}': 3,
      '{operation="createShipment",status="401"}': 1,
      '{operation="none",status="200"}': 1,
    });
    expect(changed('http_request_duration_seconds_count')).toEqual({
      '{operation="getTracking"}': 2,
      '{operation="getShipment"}': 1,
      '{operation="createShipment"}': 4,
      '{operation="none"}': 1,
    });
    expect(changed('batch_items_sum')).toMatchObject({ '{batch="read_tracking"}': 2, '{batch="create_shipments"}': 3 });
    expect(changed('idempotent_replays_total')).toEqual({ '{operation="createShipment"}': 2 });
  }, waitTimeout);
});

test('paths, methods, keys and request ids of clients add no series', async ({ service, account }) => {
  const { baseUrl } = service;
  const send = async (text: string) => {
    const responses = await Promise.all([
      get(service, account, `/tracking/${text}`),
      get(service, account, `/${text}`, { authorization: text, 'x-request-id': text }),
      fetch(`${baseUrl}/files/${text}`),
      fetch(`${baseUrl}/shipments`, { method: 'DELETE', headers: { 'idempotency-key': text } }),
      post(service, account, { ...create, key: text }),
    ]);
    for (const { status } of responses) expect(status).toBeGreaterThan(200);
  };
  await send('first');
  const series = async () => [...(await service.scrape()).keys()].filter((name) => name.startsWith('waybill_'));
  const known = await vi.waitFor(async () => {
    const found = await series();
    expect(found).toContain('waybill_http_requests_total{operation="none",status="405"}');
    return found;
  }, waitTimeout);
  await send('second');
  expect(await series()).toEqual(known);
  expect(known.join()).not.toContain('first');
});

test('the metrics port serves only /metrics, and the API port none', async ({ service, account }) => {
  const origin = service.metricsOrigin;
  const headers = { authorization: `Bearer ${account.key}` };
  for (const path of ['/', '/v1/shipments', '/health/live', '/metrics/', '/docs/'])
    expect(await problemOf(await fetch(origin + path, { headers }))).toMatchObject({ code: 'not_found' });
  expect((await fetch(`${service.origin}/metrics`)).status).toBe(404);
});

test('runs of the clean-up are counted, and their failures', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await using service = await measured(startOwnService);
  const { db, values } = service;
  const results = ['success', 'failure'].map((result) => `job_runs_total{name="clean_up",result="${result}"}`);
  /** Lets the clean-up run. */
  const expectRuns = async (...counts: number[]) => {
    vi.advanceTimersByTime(60_000);
    await vi.waitFor(async () => expect(await values(...results)).toEqual(counts), waitTimeout);
  };
  await expectRuns(1, 0);
  await sql`alter table idempotency_keys rename to gone`.execute(db);
  await expectRuns(1, 1);
});

test('deliveries that wait are counted by whether their receiver responds', async () => {
  await using service = await measured(startOwnService);
  const account = await newAccount(service);
  const held: ServerResponse[] = [];
  let status = 204;
  await using receiver = await startReceiver((response) => {
    if (status === 204) held.push(response);
    else response.writeHead(status).end();
  });
  await account.client.createWebhookEndpoint({ url: receiver.url, types: ['shipment.created'] });
  const backlogOf = (receiver: string) =>
    service.values(
      ...['pending_deliveries', 'oldest_pending_seconds'].map((name) => `webhook_${name}{receiver="${receiver}"}`),
    );
  const expectBacklog = (receiver: string) =>
    vi.waitFor(async () => {
      const [pending, oldest] = await backlogOf(receiver);
      expect(pending).toBe(3);
      expect(oldest).toBeGreaterThan(0.5);
    }, waitTimeout);
  await concurrently(3, () => newShipment(account));
  await expectBacklog('responding');
  expect(await backlogOf('failing')).toEqual([0, 0]);
  status = 500;
  for (const response of held) response.writeHead(status).end();
  await expectBacklog('failing');
  expect(await backlogOf('responding')).toEqual([0, 0]);
});

const folder = fileURLToPath(new URL('../../../deploy/monitoring/', import.meta.url));
const readAlerts = () => readFile(join(folder, 'alerts.yml'), 'utf8');

/** The value of each `expr` of the dashboard, with a duration in place of Grafana's variable. */
async function dashboardExpressions(): Promise<string[]> {
  const expressions: string[] = [];
  JSON.parse(await readFile(join(folder, 'dashboard.json'), 'utf8'), (key, value) => {
    if (key === 'expr') expressions.push(value.replaceAll('$__rate_interval', '5m'));
    return value;
  });
  return expressions;
}

/** The metrics in the tables of the guide, by name. Labels are Markdown. */
async function documentedMetrics() {
  const text = await readFile(new URL('../../../deploy/guides/monitoring.md', import.meta.url), 'utf8');
  const rows = text.matchAll(/^\| `(\w+)` +\| (counter|gauge|histogram) +\| (.*?) +\|/gm);
  return new Map([...rows].map(([, name = '', type, labels = '']) => [name, { type, labels }]));
}

test('the guide lists exactly the metrics of the service, with their types and labels', async ({ service }) => {
  const documented = await documentedMetrics();
  const types = [...(await service.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  expect([...documented].map(([name, { type }]) => [name, type]).sort()).toEqual(
    types.map(([, name, type]) => [name, type]).sort(),
  );
  // A metric without samples has no labels yet.
  for (const sample of (await service.scrape()).keys()) {
    const name = sample.replace(/{.*/, '');
    const { labels } = documented.get(name) ?? documented.get(name.replace(/_(bucket|sum|count)$/, '')) ?? {};
    for (const label of sample.match(/\w+(?==")/g) ?? [])
      if (label !== 'le') expect([name, labels]).toEqual([name, expect.stringContaining(`\`${label}\``)]);
  }
  expect(documented.get('waybill_http_requests_total')?.labels).toBe('`operation`, `status`');
});

test('the dashboard and the alerts use only metrics and labels of the service', async () => {
  const documented = await documentedMetrics();
  const texts = [...(await dashboardExpressions()), await readAlerts()];
  const selectors = texts.flatMap((text) => [...text.matchAll(/\b([a-z]\w+){([^{}]*)}/g)]);
  expect(selectors.length).toBeGreaterThan(30);
  for (const [, sample = '', matchers = ''] of selectors) {
    if (sample === 'up') continue; // Prometheus makes it, and two labels
    const metric = documented.get(sample) ?? documented.get(sample.replace(/_(bucket|sum|count)$/, ''));
    for (const [label] of matchers.matchAll(/\w+(?=[!=]~?"|=~")/g))
      expect([sample, `job instance ${metric?.labels}`]).toEqual([sample, expect.stringContaining(label)]);
  }
});

const promtool = (...args: string[]): string => execFileSync('promtool', args, { encoding: 'utf8' });
const missing = skippedWithout('promtool', installed('promtool'));

test.skipIf(missing)(`the alerts fire only for their causes, and expressions are valid${missing}`, async () => {
  promtool('check', 'config', '--lint-fatal', join(folder, 'prometheus.yml')); // throws
  expect(promtool('check', 'rules', join(folder, 'alerts.yml'))).toContain('SUCCESS: 16 rules found');
  expect(promtool('test', 'rules', join(folder, 'alerts.test.yml'))).toContain('SUCCESS');
  const rules = (await dashboardExpressions()).map((expr, index) => ({ record: `panel:${index}`, expr }));
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'waybill-dashboard-'));
  const file = join(temporary.path, 'rules.yml'); // JSON is YAML
  await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  expect(promtool('check', 'rules', '--lint=none', file)).toContain(`SUCCESS: ${rules.length} rules found`);
});
