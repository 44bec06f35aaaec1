import { type Kysely, sql } from 'kysely';
import { createIndexConcurrently } from '../schema/migration.ts';

export const outsideTransaction = true;

/** The same for `references`. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  createIndexConcurrently(
    db,
    'shipment_references_key',
    sql`on shipment_references (account_id, lower(regexp_replace(value, '[[:space:]\\u00a0\\u1680\\u2000-\\u200b\\u202f\\u205f\\u3000\\ufeff]', '', 'g')), shipment_id)`,
  );
