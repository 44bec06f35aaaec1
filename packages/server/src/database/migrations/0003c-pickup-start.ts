import { type Kysely, sql } from 'kysely';
import { createIndexConcurrently } from '../schema/migration.ts';

export const outsideTransaction = true;

/** For lists of the pickups of a time, in their order. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  createIndexConcurrently(db, 'shipments_pickup_start', sql`on shipments (account_id, status, pickup_start, id)`);
