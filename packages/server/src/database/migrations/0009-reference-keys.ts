import { type Kysely, sql } from 'kysely';
import { createIndexConcurrently } from '../schema/migration.ts';

export const outsideTransaction = true;

/** For lists by a reference, in whatever case and with whatever blanks it is written. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  createIndexConcurrently(
    db,
    'shipments_reference_key',
    sql`on shipments (account_id, lower(regexp_replace(reference, '[[:space:]\\u00a0\\u1680\\u2000-\\u200b\\u202f\\u205f\\u3000\\ufeff]', '', 'g')), id) where reference is not null`,
  );
