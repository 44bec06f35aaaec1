import { type Kysely, sql } from 'kysely';

/** The place of a delivery is not always known, for example in a hall. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table proofs alter column lat drop not null, alter column lng drop not null
  `.execute(db);
}
