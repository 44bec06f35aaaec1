import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Tables } from './tables.ts';

/** Numbers of connections, and of the callers that wait for one. */
export interface PoolStatus {
  inUse: number;
  idle: number;
  waiting: number;
  max: number;
}

const pools = new WeakMap<Kysely<Tables>, pg.Pool>();

export function setPool(db: Kysely<Tables>, pool: pg.Pool): void {
  pools.set(db, pool);
}

/** Returns the pool of a database that `connect` has made. */
export function poolOf(db: Kysely<Tables>): pg.Pool {
  const pool = pools.get(db);
  if (!pool) throw new Error('The database has no pool.');
  return pool;
}

/** Returns the status of the pool of a database that `connect` has made. */
export function poolStatus(db: Kysely<Tables>): PoolStatus {
  const { totalCount, idleCount, waitingCount, options } = poolOf(db);
  return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: options.max };
}
