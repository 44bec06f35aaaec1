import { sql } from 'kysely';
import type { Database } from '../database/connect.ts';

/** The rows of a table whose timestamp is old. */
export interface ExpiredRows {
  table: string;
  column: string;
  /** An interval of PostgreSQL, such as `24 hours`. */
  age: string;
}

/**
 * Deletes expired rows on a Citus database, with a statement and a transaction for each shard: a statement for all shards
 * cannot skip locked rows, and would delete nothing while a worker is dead.
 * @param size maximum rows for each shard
 * @returns the number of deleted rows
 * @throws when no row was deleted and some shard cannot be reached
 */
export async function deleteOnShards(db: Database, { table, column, age }: ExpiredRows, size: number): Promise<number> {
  const statement = `
    with deleted as (
      delete from %1$s where ctid = any(array(
        select ctid from %1$s where ${column} <= now() - interval '${age}'
        order by ${column} limit ${size} for update skip locked))
      returning 1
    )
    select count(*) from deleted`;
  const { rows } = await sql<{ success: boolean; result: string }>`
    select success, result from run_command_on_shards(${table}, ${statement}, false)`.execute(db);
  const deleted = rows.reduce((sum, { success, result }) => sum + (success ? Number(result) : 0), 0);
  const failure = rows.find(({ success }) => !success);
  if (deleted === 0 && failure) throw new Error(`A shard of ${table} cannot be cleaned up: ${failure.result}`);
  return deleted;
}
