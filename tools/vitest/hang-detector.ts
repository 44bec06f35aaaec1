import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, expect, inject } from 'vitest';

/**
 * vitest hangs without a message in two cases: a test blocks the event loop, and with it its own timeout; or the end of a
 * file fixture stays pending. A thread in each vitest worker detects both, prints the test or the file, and kills the worker.
 */
function startThread(): Worker {
  const heartbeats = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { heartbeats, limit: inject('blockedLimit') };
  const thread = new Worker(new URL('hang-detector-thread.ts', import.meta.url), { workerData });
  thread.unref();
  setInterval(() => Atomics.add(heartbeats, 0, 1), 500).unref();
  return thread;
}

/** Without isolation, vitest runs this file again for each test file of a worker. */
const shared = globalThis as { hangDetector?: Worker };
shared.hangDetector ??= startThread();
const thread = shared.hangDetector;

const report = (hasEnded = false): void => {
  const { testPath, currentTestName } = expect.getState();
  thread.postMessage({ name: [testPath, !hasEnded && currentTestName].filter(Boolean).join(' > '), hasEnded });
};
report();
beforeAll(() => report());
beforeEach(() => report());
afterAll(() => report(true)); // the first registered afterAll hook runs last
