import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** The thread of guard.ts, which also ends a worker that vitest has left behind. */
const { beats, limit } = workerData as { beats: Int32Array; limit: number };
const parent = process.ppid;
let name = 'A test file that is being loaded';
parentPort?.on('message', (next: string) => {
  name = next;
});

let last = Atomics.load(beats, 0);
let since = performance.now();
setInterval(() => {
  const beat = Atomics.load(beats, 0);
  if (beat !== last) [last, since] = [beat, performance.now()];
  const isBlocked = performance.now() - since > limit;
  if (isBlocked) writeSync(2, `\nBlocked for more than ${limit / 1000} s, and therefore ended: ${name}\n`);
  if (isBlocked || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, 500);
