import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, expect, inject } from 'vitest';

/**
 * Two things stop vitest without a word: a test that blocks the event loop, and with it its own timeout, and a fixture of
 * a file whose end stays pending. A thread in each vitest worker waits for both, names the test or the file, and ends the
 * worker.
 */
const beats = new Int32Array(new SharedArrayBuffer(4));
const workerData = { beats, limit: inject('blockedLimit') };
const thread = new Worker(new URL('guard-thread.ts', import.meta.url), { workerData });
thread.unref();
setInterval(() => Atomics.add(beats, 0, 1), 500).unref();

const report = (hasEnded = false): void => {
  const { testPath, currentTestName } = expect.getState();
  thread.postMessage({ name: [testPath, !hasEnded && currentTestName].filter(Boolean).join(' > '), hasEnded });
};
report();
beforeAll(() => report());
beforeEach(() => report());
afterAll(() => report(true)); // hooks that are registered first run last
