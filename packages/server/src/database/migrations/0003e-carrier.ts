import { type Kysely, sql } from 'kysely';
import { createIndexConcurrently } from '../schema/migration.ts';

export const outsideTransaction = true;

/** For lists of the shipments of a carrier. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  createIndexConcurrently(
    db,
    'shipments_carrier',
    sql`on shipments (account_id, (details -> 'carrier' ->> 'scac'), status, id)
      where details -> 'carrier' ->> 'scac' is not null`,
  );
