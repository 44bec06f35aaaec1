import { type Kysely, sql } from 'kysely';

/** Documents are bound uploads with a type. A proof has remarks and the pieces that were counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table proof_uploads add column document_type text, add column description text`.execute(db);
  await sql`alter table accesses add column documents boolean`.execute(db);
  for (const table of ['proofs', 'voided_proofs'])
    await sql`alter table ${sql.table(table)} add column remarks text, add column items jsonb`.execute(db);
}
