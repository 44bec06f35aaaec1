import { type Kysely, sql } from 'kysely';

/** The unfinished replays of an endpoint, and the secrets before the previous one that still sign. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table webhook_endpoints add column replays jsonb, add column earlier_secrets jsonb`.execute(db);
};
