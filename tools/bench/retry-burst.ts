import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import type { Environment } from '../chaos/environment.ts';
import { percentiles, sendLoad } from './load.ts';
import { dispatched, get, newShipment, post } from './requests.ts';

/** How long the row of the shipment stays locked, in milliseconds, and how many retries are sent meanwhile. */
const lockTime = 3000;
const retries = 100;

/**
 * Delays one request by a lock on its shipment, sends retries with the same idempotency key, and measures the reads of
 * another client meanwhile.
 * @param numbers the shipments that the other client reads
 * @returns whether the p99 of the reads is below `limit` milliseconds and all retries had the same response
 */
export async function measureRetryBurst(environment: Environment, numbers: string[], limit: number): Promise<boolean> {
  const { shipper, carrier, databaseUrl } = environment;
  const locked = await newShipment(shipper);
  const locker = new pg.Client(databaseUrl);
  await locker.connect();
  const pool = new Pool(new URL(shipper.baseUrl).origin, { connections: retries });
  try {
    await locker.query('begin');
    await locker.query('select 1 from shipments where tracking_number = $1 for update', [locked]);
    const request = post(carrier, `/tracking/${locked}/events`, dispatched(), randomUUID());
    const send = async (): Promise<{ text: string; replayed: boolean }> => {
      const { statusCode, headers, body } = await pool.request(request);
      return { text: `${statusCode} ${await body.text()}`, replayed: headers['idempotent-replayed'] === 'true' };
    };
    const pending = Promise.all(Array.from({ length: retries }, send));
    const release = setTimeout(lockTime).then(() => locker.query('commit'));
    const end = performance.now() + lockTime;
    let count = 0;
    const { latencies } = await sendLoad(shipper.baseUrl, 4, () => {
      if (performance.now() >= end) return undefined;
      return get(shipper, `/tracking/${numbers[count++ % numbers.length]}`);
    });
    await release;
    const responses = await pending;
    const distinct = new Set(responses.map(({ text }) => text));
    const replayed = responses.filter((response) => response.replayed).length;
    const { p50, p99, longest } = percentiles(latencies);
    console.log(`
Retry burst: ${retries} retries of a request that is delayed by ${lockTime / 1000} s
  reads of another client: ${latencies.length}, p50 ${p50} ms, p99 ${p99} ms (limit ${limit} ms), longest ${longest} ms
  responses to the retries: ${distinct.size} distinct (${[...distinct].map((text) => text.slice(0, 3)).join()}), ${replayed} of ${retries} replayed`);
    return Number(p99) < limit && distinct.size === 1 && replayed === retries - 1;
  } finally {
    await Promise.all([locker.end(), pool.close()]);
  }
}
