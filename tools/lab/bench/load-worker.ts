import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'undici';
import { requestsOf } from './request-template.ts';

/** Replaces wrk where it is not installed. In its own thread, so that it does not disturb the caller. */
const { origin, template, connections, seconds } = workerData;
const requests = requestsOf(template);
const pool = new Pool(origin, { connections, pipelining: 1 });
const latencies: number[] = [];
let failures = 0;
const start = performance.now();
const sendAll = async (): Promise<void> => {
  for (let sent = start; sent < start + seconds * 1000; ) {
    try {
      const { statusCode, body } = await pool.request(requests.next().value);
      await body.dump();
      if (statusCode >= 300) failures++;
    } catch {
      failures++;
    }
    const now = performance.now();
    latencies.push(now - sent);
    sent = now;
  }
};
await Promise.all(Array.from({ length: connections }, sendAll));
const elapsed = (performance.now() - start) / 1000;
await pool.close();
latencies.sort((a, b) => a - b);
const [p50, p99] = [0.5, 0.99].map((share) => latencies[Math.floor(latencies.length * share)]);
parentPort?.postMessage({ requests: latencies.length, seconds: elapsed, p50, p99, failures });
