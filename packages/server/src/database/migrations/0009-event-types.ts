import { type Kysely, sql } from 'kysely';
import { createIndexConcurrently } from '../migration-index.ts';

/** The index of each partition is made while it is written to. Later partitions copy the index of the table. */
export const outsideTransaction = true;

/** An index for events of some types, so that a reader of rare ones does not search all others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass`.execute(db);
  for (const { name } of rows) {
    await createIndexConcurrently(db, `${name}_type`, sql`on ${sql.ref(name)} (account_id, type, position)`);
  }
  await sql`create index if not exists events_type on events (account_id, type, position)`.execute(db);
}
