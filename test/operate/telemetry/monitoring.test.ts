import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { get } from '../../fixtures/http.ts';
import { post } from '../../fixtures/post.ts';
import { startService } from '../../fixtures/service.ts';
import { newShipment, shipmentRequest } from '../../fixtures/shipments.ts';
import { test as base, newAccount, perFile } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';
import { samplesOf, scrape } from './scrape.ts';

const folder = fileURLToPath(new URL('../../../deploy/monitoring/', import.meta.url));
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const promtoolMissing = hasPromtool ? '' : ' (skipped: promtool of the package prometheus is not installed)';

/** The cells of the tables of the guide. */
async function guideRows(): Promise<string[][]> {
  const text = await readFile(new URL('../../../deploy/guides/monitoring.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
const readAlerts = () => readFile(join(folder, 'alerts.yml'), 'utf8');
const readDashboard = async () => JSON.parse(await readFile(join(folder, 'dashboard.json'), 'utf8'));

/** The value of each `expr` of the dashboard, with a duration in place of Grafana's variable. */
async function dashboardExpressions(): Promise<string[]> {
  const expressions: string[] = [];
  JSON.stringify(await readDashboard(), (key, value) => {
    if (key === 'expr') expressions.push(value.replaceAll('$__rate_interval', '5m'));
    return value;
  });
  return expressions;
}

interface Metric {
  type: string;
  labels: Set<string>;
}

/** The metrics of a scrape by name. Histograms have no `le`. */
function metricsOf(text: string): Map<string, Metric> {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type] as const);
  const names = [...samplesOf(text).keys()];
  return new Map(
    types.map(([name, type]) => {
      const own = new RegExp(`^${name}${type === 'histogram' ? '_(bucket|sum|count)' : ''}({|$)`);
      const labels = names.filter((sample) => own.test(sample)).flatMap((sample) => sample.match(/\w+(?==")/g) ?? []);
      return [name, { type, labels: new Set(labels.filter((label) => label !== 'le')) }];
    }),
  );
}

/** The metrics of a service that has handled requests. */
async function liveMetrics() {
  const METRICS_PORT = String(await freePort());
  const service = await startService({ METRICS_PORT });
  const account = await newAccount(service);
  const { tracking_number } = await newShipment(account);
  await (await get(service, account, `/tracking/${tracking_number}`)).text();
  for (let repeat = 0; repeat < 2; repeat++) {
    await post(service, account, { path: '/shipments', body: shipmentRequest(), key: 'one' });
  }
  const text = await vi.waitFor(async () => {
    const found = await scrape(METRICS_PORT);
    expect(found).toContain('waybill_idempotent_replays_total{');
    return found;
  }, waitTimeout);
  return { text, metrics: metricsOf(text), [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

const test = base.extend<{ $file: { live: Awaited<ReturnType<typeof liveMetrics>> } }>({ live: perFile(liveMetrics) });

/** The documented metrics by name. Labels are Markdown. */
async function documentedMetrics() {
  const rows = (await guideRows()).filter(([, type = '']) => ['counter', 'gauge', 'histogram'].includes(type));
  return new Map(rows.map(([name = '', type, labels = '']) => [name.replaceAll('`', ''), { type, labels }]));
}

test('the guide lists exactly the metrics of the service, with their types and labels', async ({ live }) => {
  const documented = await documentedMetrics();
  expect([...documented.keys()].sort()).toEqual([...live.metrics.keys()].sort());
  for (const [name, { type, labels }] of live.metrics) {
    const { type: documentedType, labels: list = '' } = documented.get(name) ?? {};
    expect([name, documentedType]).toEqual([name, type]);
    // A metric without samples has no labels yet.
    for (const label of labels) expect([name, list]).toEqual([name, expect.stringContaining(`\`${label}\``)]);
  }
  expect(documented.get('waybill_http_requests_total')?.labels).toBe('`operation`, `status`');
});

test('the dashboard and the alerts use only metrics and labels of the service', async ({ live }) => {
  /** Labels that Prometheus adds. */
  const added = ['job', 'instance'];
  const selectors = [...(await dashboardExpressions()), await readAlerts()].flatMap((text) => [
    ...text.matchAll(/\b([a-z]\w+){([^{}]*)}/g),
  ]);
  expect(selectors.length).toBeGreaterThan(30);
  const documented = await documentedMetrics();
  for (const [, sample = '', matchers = ''] of selectors) {
    if (sample === 'up') continue; // Prometheus makes it
    const name = live.metrics.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, '');
    expect([...live.metrics.keys()]).toContain(name);
    const { labels = '' } = documented.get(name) ?? {};
    for (const [label] of matchers.matchAll(/\w+(?=[!=]~?"|=~")/g)) {
      expect(added.includes(label) || labels.includes(`\`${label}\``), `${name} {${label}}`).toBe(true);
    }
  }
});

test('the guide lists exactly the alerts, with their severities', async () => {
  const rows = (await guideRows()).filter(([name = '']) => name.startsWith('`Waybill'));
  const rules = (await readAlerts()).matchAll(/alert: (\w+)[\s\S]*?severity: (\w+)/g);
  const documented = rows.map(([name = '', severity]) => [name.replaceAll('`', ''), severity]);
  expect(documented).toHaveLength(15);
  expect(documented).toEqual([...rules].map(([, name, severity]) => [name, severity]));
});

describe.skipIf(!hasPromtool)(`with promtool${promtoolMissing}`, () => {
  test('the alert rules are valid, and fire for their causes only', () => {
    const check = execFileSync('promtool', ['check', 'rules', join(folder, 'alerts.yml')], { encoding: 'utf8' });
    expect(check).toContain('SUCCESS: 15 rules found');
    const tests = execFileSync('promtool', ['test', 'rules', join(folder, 'alerts.test.yml')], { encoding: 'utf8' });
    expect(tests).toContain('SUCCESS');
  });

  test('every expression of the dashboard is valid', async () => {
    const expressions = await dashboardExpressions();
    const rules = expressions.map((expr, index) => ({ record: `panel:${index}`, expr }));
    const temporary = await mkdtemp(join(tmpdir(), 'waybill-dashboard-'));
    onTestFinished(() => rm(temporary, { recursive: true }));
    const file = join(temporary, 'rules.yml'); // JSON is YAML
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const output = execFileSync('promtool', ['check', 'rules', '--lint=none', file], { encoding: 'utf8' });
    expect(output).toContain(`SUCCESS: ${expressions.length} rules found`);
  });

  test('the metrics of the service follow the conventions of Prometheus', ({ live }) => {
    const own = live.text.split('\n').filter((line) => /^(# \w+ )?waybill_/.test(line));
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: `${own.join('\n')}\n` });
    expect([status, String(stdout), String(stderr)]).toEqual([0, '', '']);
  });
});
