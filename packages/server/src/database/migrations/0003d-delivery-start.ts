import { type Kysely, sql } from 'kysely';
import { createIndexConcurrently } from '../schema/migration.ts';

export const outsideTransaction = true;

/** For lists of the deliveries of a time, in their order. The text of a UTC time sorts as the time does. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  createIndexConcurrently(
    db,
    'shipments_delivery_start',
    sql`on shipments (account_id, status, ((details -> 'delivery_window' ->> 'start') collate "C"), id)
      where details -> 'delivery_window' is not null`,
  );
