import { setTimeout } from 'node:timers/promises';
import { dayLength } from '@waybill/contract/duration';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../database.ts';
import { isLockTimeout } from '../errors.ts';
import { advisoryLocks, callFunction, limitLockWaits } from '../statements/expressions.ts';
import type { Tables } from '../tables.ts';
import { distributeTable } from './distribute.ts';

/** Days ahead with a partition: clean-up may fail for as long before positions go to the default partition. */
const daysAhead = 7;
/** With a longer retention, days before the first run have no partition. */
const maxDaysBack = 400;
/** Milliseconds that a change waits for a lock. Requests queue behind it, so it soon gives up and tries again. */
const lockTimeout = 200;
const attempts = 5;

/** A table that is partitioned by UTC day. Its default partition takes the rows of other days. */
export interface DayTable {
  name: string;
  /** The timestamp that a row belongs to. */
  column: string;
  /** Runs in the transaction that drops the partition of a time, which includes `from` and excludes `to`. */
  beforeDrop?: ((trx: Transaction<Tables>, from: string, to: string) => Promise<void>) | undefined;
}

/** The number of days that this instance changed. */
export interface PartitionChanges {
  created: number;
  dropped: number;
  /** When the days that have a partition end, in milliseconds since 1970. */
  end: number;
  /** Rows of days without a partition, at most `maxCounted`. */
  unpartitioned: number;
}

const maxCounted = 1000;

/**
 * Creates the partitions of a table for the coming days and drops those of days that have expired. Several instances may
 * run it at once. When a partition is in use, the remaining ones are changed by the next run.
 */
export async function updatePartitions(
  db: Database,
  table: DayTable,
  retentionDays: number,
  signal?: AbortSignal,
): Promise<PartitionChanges> {
  const today = Math.floor(Date.now() / dayLength);
  const existing = await partitionDays(db, table);
  const first = today - Math.min(retentionDays, maxDaysBack);
  const missing = daysBetween(first, today + daysAhead).filter((day) => !existing.has(day));
  const expired = [...existing].filter((day) => day < today - retentionDays);
  const created = await changePartitions(db, table, missing, 'create', signal);
  const dropped = await changePartitions(db, table, expired, 'drop', signal);
  const days = created > 0 ? await partitionDays(db, table) : existing;
  let end = today;
  while (days.has(end)) end++;
  return { created, dropped, end: end * dayLength, unpartitioned: await countUnpartitioned(db, table) };
}

async function countUnpartitioned(db: Database, table: DayTable): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select 1 from ${sql.table(`${table.name}_default`)} limit ${sql.lit(maxCounted)}) r`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

const daysBetween = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
/** Returns the start of a UTC day. @param day days since 1970 */
const startOf = (day: number): string => new Date(day * dayLength).toISOString();
const partitionOf = (table: DayTable, day: number): string =>
  `${table.name}_${startOf(day).slice(0, 10).replaceAll('-', '_')}`;

async function partitionDays(db: Database | Transaction<Tables>, table: DayTable): Promise<Set<number>> {
  const { rows } = await sql<{ name: string }>`
    select relid::text as name from pg_partition_tree(${table.name}) where level = 1`.execute(db);
  const days = rows.map(({ name }) => Date.parse(name.replace(`${table.name}_`, '').replaceAll('_', '-')) / dayLength);
  return new Set(days.filter((day) => !Number.isNaN(day)));
}

type Change = 'create' | 'drop';

/** @returns the number of days that this instance changed */
async function changePartitions(
  db: Database,
  table: DayTable,
  days: number[],
  change: Change,
  signal?: AbortSignal,
): Promise<number> {
  let changed = 0;
  for (const day of days) {
    const result = signal?.aborted ? 'busy' : await changePartition(db, table, day, change);
    if (result === 'busy') break;
    if (result === 'changed') changed++;
  }
  return changed;
}

/** `busy`: the table is in use or another instance changes it. `unchanged`: another instance has changed it. */
type Result = 'changed' | 'unchanged' | 'busy';

async function changePartition(db: Database, table: DayTable, day: number, change: Change): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async (trx) => {
        await limitLockWaits(trx, await db.isCitus(), lockTimeout);
        if (!(await callFunction(trx, 'pg_try_advisory_xact_lock', advisoryLocks.partitions))) return 'busy';
        const exists = (await partitionDays(trx, table)).has(day);
        if (exists === (change === 'create')) return 'unchanged';
        await (change === 'create'
          ? createPartition(trx, table, day, await db.isCitus())
          : dropPartition(trx, table, day));
        return 'changed';
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt === attempts) return 'busy';
      await setTimeout(lockTimeout); // requests that wait for the table run first
    }
  }
}

/** Attaches a partition, and moves the rows of its day from the default partition into it. */
async function createPartition(
  trx: Transaction<Tables>,
  table: DayTable,
  day: number,
  isCitus: boolean,
): Promise<void> {
  const partition = partitionOf(table, day);
  const execute = (statement: string) => sql.raw(statement).execute(trx);
  await execute(`create table ${partition} (like ${table.name})`);
  if (isCitus) await distributeTable(trx, partition, table.name);
  const [from, to] = [startOf(day), startOf(day + 1)];
  const rowsOfDay = `${table.name}_default where ${table.column} >= '${from}' and ${table.column} < '${to}'`;
  // Without this lock, a read that waits for the last statement would find moved rows in neither partition.
  await execute(`lock table only ${table.name} in access exclusive mode`);
  if ((await execute(`select from ${rowsOfDay} limit 1`)).rows.length > 0) {
    await execute(`insert into ${partition} select * from ${rowsOfDay}`);
    await execute(`delete from ${rowsOfDay}`);
  }
  await execute(`alter table ${table.name} attach partition ${partition} for values from ('${from}') to ('${to}')`);
}

async function dropPartition(trx: Transaction<Tables>, table: DayTable, day: number): Promise<void> {
  await table.beforeDrop?.(trx, startOf(day), startOf(day + 1));
  await trx.schema.dropTable(partitionOf(table, day)).execute();
}
