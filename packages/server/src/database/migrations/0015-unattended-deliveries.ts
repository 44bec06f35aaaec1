import { type Kysely, sql } from 'kysely';

/** Proofs of unattended deliveries have neither a name nor a signature. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table proofs alter column signed_by drop not null, alter column signature drop not null
  `.execute(db);
}
