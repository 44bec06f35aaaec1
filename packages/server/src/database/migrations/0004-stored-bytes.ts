import { type Kysely, sql } from 'kysely';

/** Total declared bytes per account, and an index for the unfinished uploads of a shipment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table stored_bytes (
      account_id uuid primary key references accounts,
      bytes bigint not null
    );
    insert into stored_bytes (account_id, bytes) select account_id, sum(size) from proof_uploads group by account_id;

    create index proof_uploads_unfinished on proof_uploads (account_id, shipment_id, created_at)
      where bound_at is null;
  `.execute(db);
}
