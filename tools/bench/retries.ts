import { randomUUID } from 'node:crypto';
import { createClient } from '@waybill/client';
import pg from 'pg';
import type { Environment } from '../chaos/environment.ts';
import { shipmentRequest } from '../shipment-request.ts';
import { runLoad } from './load-generator.ts';
import type { RequestTemplate } from './request-template.ts';

const count = 100;
const lockSeconds = 2;
/** Of the p99 of the reads, in milliseconds. */
const limit = 100;

/**
 * Delays one request by a lock on its shipment, sends it 100 times with the same idempotency key, and measures reads over
 * four connections meanwhile.
 * @returns whether the p99 of the reads is below the limit and all retries had the same response
 */
export async function measureRetries(environment: Environment, reads: RequestTemplate): Promise<boolean> {
  const { shipper, carrier, databaseUrl, signal } = environment;
  const { tracking_number } = await createClient(shipper).createShipment(shipmentRequest);
  const locker = new pg.Client(databaseUrl);
  await locker.connect();
  try {
    await locker.query('begin');
    await locker.query('select 1 from shipments where tracking_number = $1 for update', [tracking_number]);
    const client = createClient({ ...carrier, maxRetries: 0 });
    const event = { tracking_number, status: 'dispatched', timestamp: new Date() } as const;
    const idempotencyKey = randomUUID();
    const record = () => client.recordTrackingEvent(event, { idempotencyKey }).withResponse();
    const [responses, load] = await Promise.all([
      Promise.all(Array.from({ length: count }, record)),
      runLoad(new URL(shipper.baseUrl).origin, reads, 4, lockSeconds, signal).finally(() => locker.query('commit')),
    ]);
    const distinct = new Set(responses.map(({ data }) => JSON.stringify(data))).size;
    const replayed = responses.filter((response) => response.replayed).length;
    console.log(`
Burst of ${count} retries of a request that takes ${lockSeconds} s
  other reads: ${load.requests}, p50 ${load.p50.toFixed(1)} ms, p99 ${load.p99.toFixed(1)} ms (limit ${limit} ms)
  responses to the retries: ${distinct} distinct, ${replayed} replayed`);
    return load.requests > 0 && load.p99 < limit && load.failures === 0 && distinct === 1 && replayed === count - 1;
  } finally {
    await locker.end();
  }
}
