import { type Kysely, sql } from 'kysely';
import { createIndexConcurrently } from '../schema/migration.ts';

export const outsideTransaction = true;

/** For lists of the shipments to a city. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  createIndexConcurrently(
    db,
    'shipments_destination_city',
    sql`on shipments (account_id, lower(destination ->> 'city'), status, id)`,
  );
