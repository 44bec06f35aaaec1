import { Worker } from 'node:worker_threads';
import { beforeAll, beforeEach, expect, inject } from 'vitest';

/**
 * A test that blocks the event loop stops its own timeout too. A thread watches the loop of each vitest worker, ends a
 * worker whose loop stands still for longer than `blockedLimit`, and names the test.
 */
const limit = inject('blockedLimit');
const beats = new Int32Array(new SharedArrayBuffer(4));
const thread = new Worker(new URL('guard-thread.ts', import.meta.url), { workerData: { beats, limit } });
thread.unref();
setInterval(() => Atomics.add(beats, 0, 1), 500).unref();

const report = (): void => {
  const { testPath, currentTestName } = expect.getState();
  thread.postMessage([testPath, currentTestName].filter(Boolean).join(' > '));
};
report();
beforeAll(report);
beforeEach(report);
