import { type Kysely, sql } from 'kysely';
import { createIndexConcurrently } from '../schema/migration.ts';

export const outsideTransaction = true;

/** The documents of a shipment. Other uploads are not in it. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  createIndexConcurrently(
    db,
    'proof_uploads_documents',
    sql`on proof_uploads (account_id, shipment_id, bound_at) where document_type is not null`,
  );
