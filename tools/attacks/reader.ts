import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';

/** Milliseconds between two reads, within the default rate limit of a key. */
const interval = 20;

export interface Reading {
  /** Milliseconds from the scheduled time of each read to its response, ascending. */
  latencies: number[];
  /** Numbers of responses other than 200, by status; 0 is a connection error. */
  failures: Record<string, number>;
}

/**
 * Reads the tracking status of one shipment at a fixed rate, independent of earlier responses. So a stall counts for every
 * read that was scheduled during it.
 */
export async function readSteadily(url: string, apiKey: string, seconds: number): Promise<Reading> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 16, pipelining: 1, headersTimeout: 30_000 });
  const reading: Reading = { latencies: [], failures: {} };
  const read = async (due: number): Promise<void> => {
    let status = 0;
    try {
      const headers = { authorization: `Bearer ${apiKey}` };
      const response = await pool.request({ method: 'GET', path: pathname, headers });
      await response.body.dump();
      status = response.statusCode;
    } catch {}
    reading.latencies.push(performance.now() - due);
    if (status !== 200) reading.failures[status] = (reading.failures[status] ?? 0) + 1;
  };
  const start = performance.now();
  const reads: Promise<void>[] = [];
  for (let due = start; due < start + seconds * 1000; due += interval) {
    await setTimeout(Math.max(0, due - performance.now()));
    reads.push(read(due));
  }
  await Promise.all(reads);
  await pool.close();
  reading.latencies.sort((a, b) => a - b);
  return reading;
}
