import { type Kysely, sql } from 'kysely';

/**
 * `webhook_changes` has the enabled endpoints, for the instances that send their events: `version` changes with the endpoint.
 * Citus stores it on the coordinator, so that it is found while a worker is stopped. An endpoint has the ids of its last
 * deliveries that requests have queued, which limits those that are pending.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_changes (
      account_id uuid not null,
      endpoint_id uuid not null,
      version uuid not null,
      primary key (account_id, endpoint_id)
    );
    alter table webhook_endpoints add column manual_deliveries uuid[];
  `.execute(db);
}
