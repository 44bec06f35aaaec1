import { type Kysely, sql } from 'kysely';
import { createIndexConcurrently } from '../schema/migration.ts';

export const outsideTransaction = true;

/** Replaces `shipments_ended`, which has not all ends. The next release drops that. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  createIndexConcurrently(
    db,
    'shipments_final',
    sql`on shipments (updated_at) where status in ('delivered', 'cancelled', 'returned', 'lost')`,
  );
