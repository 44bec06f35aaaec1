import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** The thread of guard.ts, which also ends a worker whose vitest was killed. */
const { beats, limit } = workerData as { beats: Int32Array; limit: number };
const parent = process.ppid;
let current = { name: 'A test file that is being loaded', hasEnded: false };
let [last, since] = [Atomics.load(beats, 0), performance.now()];

parentPort?.on('message', (next: typeof current) => {
  current = next;
  since = performance.now();
});

setInterval(() => {
  const beat = Atomics.load(beats, 0);
  if (beat !== last && !current.hasEnded) since = performance.now();
  last = beat;
  const isOver = performance.now() - since > limit;
  if (isOver) {
    const what = current.hasEnded ? 'A fixture does not end' : 'The event loop is blocked';
    writeSync(2, `\n${what}, and therefore the worker is killed after ${limit / 1000} s: ${current.name}\n`);
  }
  if (isOver || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, 500);
