import { type Kysely, sql } from 'kysely';

/** The share of an account in the time of the service, in percent; null for the usual one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table accounts add column share integer`.execute(db);
}
