import { type Kysely, sql } from 'kysely';

/** Who raised an exception, that it was voided, and which entry of the timeline has resolved it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table exceptions
      add column access_id uuid, add column voided_at timestamptz, add column void_reason text,
      add column resolved_version integer`.execute(db);
};
