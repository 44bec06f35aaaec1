import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** The thread of hang-detector.ts. It also ends a worker whose vitest process was killed. */
const { heartbeats, limit } = workerData as { heartbeats: Int32Array; limit: number };
const parent = process.ppid;
let current = { name: 'A test file that is loading', hasEnded: false };
let [last, since] = [Atomics.load(heartbeats, 0), performance.now()];

parentPort?.on('message', (next: typeof current) => {
  current = next;
  since = performance.now();
});

setInterval(() => {
  const heartbeat = Atomics.load(heartbeats, 0);
  if (heartbeat !== last && !current.hasEnded) since = performance.now();
  last = heartbeat;
  const isHanging = performance.now() - since > limit;
  if (isHanging) {
    const what = current.hasEnded ? 'A fixture does not end' : 'The event loop is blocked';
    writeSync(2, `\n${what}. The worker is killed after ${limit / 1000} s: ${current.name}\n`);
  }
  if (isHanging || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, 500);
