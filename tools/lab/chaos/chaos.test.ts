import { expect, test } from 'vitest';
import { missingPrograms } from '../cluster/daemon.ts';
import { violationsOf } from './checks/violations.ts';
import { startEnvironment } from './environment.ts';
import { type Fault, faults } from './faults.ts';
import type { RecordedRequest } from './recorder.ts';
import { chaosSettings, runChaos } from './run.ts';

const limit = 5000;
const request = (more: Partial<RecordedRequest>): RecordedRequest => {
  return { needs: ['database'], text: 'GET /v1/shipments: 200', start: 0, end: 10, outcome: 'ok', ...more };
};
const upload = request({ needs: ['database', 'storage'], outcome: 'unavailable', text: 'PUT /v1/uploads: 503' });

test('violationsOf accepts 503 and closed connections of requests that need the failed part', () => {
  const violations = (affects: Fault['affects'], requests: RecordedRequest[], recovery = 0) =>
    violationsOf({ affects }, { requests, recovery, duration: 1000 }, limit);
  const requests = [request({}), request({ outcome: 'unavailable' }), request({ outcome: 'closed', end: limit })];
  expect(violations(['database'], requests, limit)).toEqual([]);
  expect(violations(['storage'], [request({}), upload])).toEqual([]);
  expect(violations([], [request({})])).toEqual([]);
});

test.each<[why: string, affects: Fault['affects'], requests: RecordedRequest[], recovery: number]>([
  ['another response', ['database'], [upload, request({ outcome: 'wrong', text: 'GET /: 500' })], 0],
  ['a slow request', ['database'], [upload, request({ end: limit + 1 })], 0],
  ['a 503 without need', ['storage'], [upload, request({ outcome: 'unavailable' })], 0],
  ['a 503 of a server that is killed', ['server'], [request({ outcome: 'closed' }), upload], 0],
  ['any failure', [], [upload], 0],
  ['a fault without effect', ['database'], [request({})], 0],
  ['a late recovery', ['database'], [upload], limit + 1],
  ['no recovery', ['database'], [upload], Number.POSITIVE_INFINITY],
])('violationsOf reports %s', (_, affects, requests, recovery) => {
  expect(violationsOf({ affects }, { requests, recovery, duration: 1000 }, limit)).toHaveLength(1);
});

const isLong = process.env.WAYBILL_LONG === 'true';
const missing = missingPrograms();
const isCluster = missing.length === 0;
const why = isCluster
  ? 'of a cluster'
  : `of one server (not of a cluster: ${missing.join(', ')} missing; .ci/run installs it)`;
/** The command and the nightly runs cause all faults; test/operate/outages causes those of the network and of PostgreSQL. */
const chosen = { 'all-killed': faults['all-killed'] as Fault };

test.runIf(isLong)(
  `no acknowledged write is lost or duplicated by a crash ${why}, which fails no other request`,
  async () => {
    const { signal } = new AbortController();
    // Instances that restart must not reach the timeout on a busy machine.
    const settings = { ...chaosSettings, DATABASE_TIMEOUT_MS: '15000', DRAIN_MS: '2000' };
    await using environment = await startEnvironment(settings, signal, { isCluster });
    // Durations depend on the machine; the command checks them.
    const options = { rounds: 1, shipments: 2, seed: 1, limit: Number.POSITIVE_INFINITY, scale: 0.15 };
    expect(await runChaos(environment, chosen, options)).toEqual([]);
  },
);
