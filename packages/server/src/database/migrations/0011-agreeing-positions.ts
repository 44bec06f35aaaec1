import { type Kysely, sql } from 'kysely';

/** How many positions speak for the current one, and how many for the last jump. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table current_positions add column agreeing integer, add column jump_agreeing integer`.execute(db);
};
