import { type Kysely, sql } from 'kysely';
import { createIndexConcurrently } from '../migration-index.ts';

/** An index for lists of the shipments that have changed since a time, also of those in one status. */
export const outsideTransaction = true;
export const up = (db: Kysely<unknown>): Promise<void> =>
  createIndexConcurrently(db, 'shipments_change', sql`on shipments (account_id, status, updated_at, id)`);
