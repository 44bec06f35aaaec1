import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import type { Environment } from '../chaos/environment.ts';
import { percentile, shoot } from './load.ts';
import { origin } from './measure.ts';
import { event, tracking } from './shots.ts';

/** How long the shipment's row stays locked, in milliseconds, and how often the request is repeated meanwhile. */
const held = 3000;
const repeats = 100;

/**
 * Holds one request up by a lock on its shipment, repeats it with its key, and measures another client meanwhile.
 * @returns whether the other was served in time and all repetitions had the same answer
 */
export async function storm(environment: Environment, slow: string, others: string[], limit: number): Promise<boolean> {
  const locker = new pg.Client(environment.databaseUrl);
  await locker.connect();
  await using stack = new AsyncDisposableStack();
  const pool = stack.adopt(new Pool(origin(environment), { connections: repeats }), (it) => it.close());
  try {
    await locker.query('begin');
    await locker.query('select 1 from shipments where tracking_number = $1 for update', [slow]);
    const shot = event(
      environment.carrier,
      slow,
      { status: 'dispatched', timestamp: new Date().toISOString() },
      randomUUID(),
    );
    const send = async (): Promise<{ text: string; replayed: boolean }> => {
      const { statusCode, headers, body } = await pool.request(shot);
      return { text: `${statusCode} ${await body.text()}`, replayed: headers['idempotent-replayed'] === 'true' };
    };
    const answers = Promise.all(Array.from({ length: repeats }, send));
    const release = setTimeout(held).then(() => locker.query('commit'));
    const end = performance.now() + held;
    let count = 0;
    const other = await shoot(origin(environment), 4, () => {
      if (performance.now() < end) return tracking(environment.shipper, others[count++ % others.length] ?? slow);
      return undefined;
    });
    await release;
    const all = await answers;
    const [kinds, replayed] = [new Set(all.map(({ text }) => text)), all.filter((answer) => answer.replayed).length];
    const [half, most, max] = [0.5, 0.99, 1].map((share) => percentile(other.latencies, share).toFixed(1));
    console.log(`
Retry storm: ${repeats} repeats of a request that is held for ${held / 1000} s
  another client meanwhile: ${other.requests} reads, p50 ${half} ms, p99 ${most} ms (must be under ${limit} ms), longest ${max} ms
  the repeats: ${kinds.size} different answer${kinds.size === 1 ? '' : 's'} (${[...kinds].map((it) => it.slice(0, 3)).join()}), ${replayed} of ${repeats} replayed`);
    return Number(most) < limit && kinds.size === 1 && replayed === repeats - 1;
  } finally {
    await locker.end();
  }
}
