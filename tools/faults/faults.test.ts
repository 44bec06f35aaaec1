import { expect, test } from 'vitest';
import { faults } from './faults.ts';
import type { RecordedRequest } from './recorder.ts';
import { runFault } from './run-fault.ts';
import { violationsOf } from './violations.ts';

const request = (more: Partial<RecordedRequest>): RecordedRequest => {
  return { needs: ['database'], text: 'GET /v1/shipments: 200', start: 0, end: 10, outcome: 'ok', ...more };
};
const upload = request({ needs: ['database', 'storage'], outcome: 'unavailable', text: 'PUT /v1/uploads: 503' });

test('violationsOf accepts 503 and closed connections of requests that need the failed part', () => {
  const requests = [request({}), request({ outcome: 'unavailable' }), request({ outcome: 'closed', end: 5000 })];
  expect(violationsOf({ affects: 'database' }, { requests, recovery: 5000 })).toEqual([]);
  expect(violationsOf({ affects: 'storage' }, { requests: [request({}), upload], recovery: 0 })).toEqual([]);
  expect(violationsOf({ affects: 'nothing' }, { requests: [request({})], recovery: 0 })).toEqual([]);
});

test('violationsOf reports wrong, slow and needless failures, a late recovery, and a fault without effect', () => {
  const violations = (
    affects: 'database' | 'storage' | 'server' | 'nothing',
    requests: RecordedRequest[],
    recovery?: number,
  ) => violationsOf({ affects }, { requests, recovery });
  expect(violations('database', [upload, request({ outcome: 'wrong', text: 'GET /: 500' })], 0)).toEqual([
    'wrong response: 1 × GET /: 500',
  ]);
  expect(violations('database', [upload, request({ end: 5001 })], 0)).toHaveLength(1);
  expect(violations('storage', [upload, request({ outcome: 'unavailable' })], 0)).toHaveLength(1);
  expect(violations('server', [request({ outcome: 'closed' }), upload], 0)).toHaveLength(1);
  expect(violations('nothing', [upload], 0)).toHaveLength(1);
  expect(violations('database', [request({})], 0)).toHaveLength(1);
  expect(violations('database', [upload], 5001)).toHaveLength(1);
  expect(violations('database', [upload])).toHaveLength(1);
});

test('acknowledged writes survive a kill of the postmaster under load', async () => {
  const fault = faults['postgres-killed'];
  if (!fault) throw new Error('There is no such fault.');
  const { requests, lost, duplicated } = await runFault(fault, new AbortController().signal, {
    duration: 500,
    shipments: 6,
  });
  expect([lost, duplicated]).toEqual([0, 0]);
  // Durations depend on the machine; the command checks them.
  const wrong = requests.filter(({ outcome }) => outcome === 'wrong').map(({ text }) => text);
  expect(wrong).toEqual([]);
  expect(requests.some(({ outcome }) => outcome === 'unavailable')).toBe(true);
});
