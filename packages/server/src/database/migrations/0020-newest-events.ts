import { type Kysely, sql } from 'kysely';

/**
 * Indexes of events. That of types contains all columns that a list of them compares, so that PostgreSQL does not read the feed
 * of the account instead. That of positions is for the newest events of all accounts; its expression keeps it from statements
 * about one account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index events_of_type on events (account_id, type, position, created_at);
    drop index events_type;
    create index events_position on events ((position + 0));
  `.execute(db);
}
