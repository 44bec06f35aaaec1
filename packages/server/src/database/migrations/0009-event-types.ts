import { type Kysely, sql } from 'kysely';

/** An index for events of some types, so that a reader of rare ones does not search all others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index events_type on events (account_id, type, position)`.execute(db);
}
