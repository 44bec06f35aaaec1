import { type Kysely, sql } from 'kysely';

/** The page that the link of an access opens; null without a link. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table accesses add column kind text`.execute(db);
}
