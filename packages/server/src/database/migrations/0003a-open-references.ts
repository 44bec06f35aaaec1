import { type Kysely, sql } from 'kysely';
import { createIndexConcurrently } from '../schema/migration.ts';

export const outsideTransaction = true;

/**
 * A shipment that has ended leaves its reference to another one. The previous release finds the name of the index it knows,
 * `shipments_open_reference`, in this name.
 */
export const up = (db: Kysely<unknown>): Promise<void> =>
  createIndexConcurrently(
    db,
    'shipments_open_reference_active',
    sql`on shipments (account_id, reference)
      where reference is not null and status not in ('delivered', 'cancelled', 'returned', 'lost')`,
    { unique: true },
  );
