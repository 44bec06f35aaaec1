import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { type Counts, increment, type LoadRequest } from '../bench/load.ts';

/** Milliseconds between two reads, within the default rate limit of a key. */
const interval = 20;

export interface Reading {
  /** Milliseconds from the scheduled time of each read to its response, ascending. */
  latencies: number[];
  statuses: Counts;
}

/**
 * Sends a request at a fixed rate, independent of earlier responses. So a stall counts for every read that was scheduled
 * during it.
 */
export async function readSteadily(baseUrl: string, request: LoadRequest, seconds: number): Promise<Reading> {
  const pool = new Pool(new URL(baseUrl).origin, { connections: 16, pipelining: 1, headersTimeout: 30_000 });
  const reading: Reading = { latencies: [], statuses: {} };
  const read = async (due: number): Promise<void> => {
    try {
      const { statusCode, body } = await pool.request(request);
      await body.dump();
      increment(reading.statuses, statusCode);
    } catch {
      increment(reading.statuses, 0);
    }
    reading.latencies.push(performance.now() - due);
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
