import { type Kysely, sql } from 'kysely';

/** The phone that drivers call. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table accounts add column dispatcher_phone text`.execute(db);
};
