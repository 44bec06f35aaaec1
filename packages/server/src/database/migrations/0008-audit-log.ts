import { type Kysely, sql } from 'kysely';

/**
 * What operators change with commands. Entries cannot be changed or removed. `account_id` has no foreign key: the table has
 * entries about no account, and Citus stores it on the coordinator only.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_log (
      id uuid primary key,
      at timestamptz not null,
      action text not null,
      account_id uuid,
      details jsonb not null,
      os_user text not null,
      host text not null,
      pid integer not null
    );

    create function refuse_audit_log_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is append-only';
    end $$;
    create trigger audit_log_append_only before update or delete or truncate on audit_log
      for each statement execute function refuse_audit_log_change();
  `.execute(db);
}
