import { sql } from 'kysely';
import type { Database } from './database.ts';

/** The rows of a table whose timestamp is old. */
export interface ExpiredRows {
  table: string;
  column: string;
  /** An interval of PostgreSQL, such as `24 hours`. */
  age: string;
  /** SQL that the rows meet, too. */
  condition?: string;
  /** On Citus, whether the table is on the coordinator alone. */
  isLocal?: boolean;
}

/** Maximum rows that a statement deletes, so that writers of these rows do not wait long. */
const batchSize = 5000;

/**
 * Deletes expired rows in batches, until no row is left or the signal aborts.
 * @returns their number
 * @throws on Citus, when some shard cannot be cleaned up; the others are cleaned up first
 */
export async function deleteExpired(database: Database, expired: ExpiredRows, signal?: AbortSignal): Promise<number> {
  if (!expired.isLocal && (await database.isCitus())) return deleteOnShards(database, expired, signal);
  const execute = async (statement: string): Promise<string> => {
    const { rows } = await sql.raw<{ result: string }>(statement).execute(database);
    return rows[0]?.result ?? '';
  };
  return deleteInBatches(expired, expired.table, execute, signal);
}

/** On Citus, a statement for all shards cannot skip locked rows, and would delete nothing while a worker is dead. */
async function deleteOnShards(database: Database, expired: ExpiredRows, signal?: AbortSignal): Promise<number> {
  const { rows: shards } = await sql<{ name: string; host: string; port: number }>`
    select shard_name(logicalrelid, shardid) as name, nodename as host, nodeport as port
    from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
    where logicalrelid = ${expired.table}::regclass and noderole = 'primary'`.execute(database);
  let total = 0;
  const failures: unknown[] = [];
  for (const { name, host, port } of shards) {
    const execute = async (statement: string): Promise<string> => {
      const { rows } = await sql<{ success: boolean; result: string }>`
        select success, result
        from master_run_on_worker(array[${host}], array[${port}::integer], array[${statement}], false)`.execute(
        database,
      );
      if (!rows[0]?.success) throw new Error(`Shard ${name} cannot be cleaned up: ${rows[0]?.result}`);
      return rows[0].result;
    };
    total += await deleteInBatches(expired, name, execute, signal).catch((error: unknown) => {
      failures.push(error);
      return 0;
    });
  }
  if (failures.length > 0) throw failures[0];
  return total;
}

/** @param execute executes a statement and returns its only value, as text */
async function deleteInBatches(
  { column, age, condition = 'true' }: ExpiredRows,
  table: string,
  execute: (statement: string) => Promise<string>,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  // Each batch starts where the previous one ended, because the index still contains the deleted rows.
  let from: string | null = '-infinity';
  while (from !== null && !signal?.aborted) {
    const result = await execute(`
      with deleted as (
        delete from ${table} where ctid = any(array(
          select ctid from ${table} where ${column} >= '${from}' and ${column} <= now() - interval '${age}' and ${condition}
          order by ${column} limit ${batchSize} for update skip locked))
        returning ${column} as expired
      )
      select json_build_array(count(*), max(expired))::text as result from deleted`);
    const [count, last] = JSON.parse(result) as [number, string | null];
    total += count;
    from = count < batchSize ? null : last;
  }
  return total;
}
