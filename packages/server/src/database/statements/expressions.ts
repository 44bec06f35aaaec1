import { type Expression, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { executeWithNextStatement } from '../driver.ts';
import type { Tables } from '../tables.ts';

/** A text literal. Statements that are compiled once have no other parameters than their rows. */
export const literal = <Text extends string>(text: Text): RawBuilder<Text> => sql.lit(text);

/** Whether a column has one of some values, as literals. */
export const isOneOf = (column: string, values: readonly string[]): RawBuilder<boolean> =>
  sql`${sql.ref(column)} in (${sql.join(values.map(literal))})`;

/** No other uuid is lower: what is read in the order of ids begins after it. */
export const nilUuid = '00000000-0000-0000-0000-000000000000';

/** A duration, typed as the timestamp that it is added to. @param text such as `24 hours` */
export const interval = (text: string): RawBuilder<Date> => sql`${sql.lit(text)}::interval`;

/** The time of the transaction. */
export const now: RawBuilder<Date> = sql`now()`;

/** The time so long ago, by the clock of PostgreSQL. @param age an interval, such as `24 hours` */
export const ago = (age: string): RawBuilder<Date> => sql`${now} - ${interval(age)}`;

/** Sets the limit of the waits for locks until the transaction ends, within a statement, and not on the workers of Citus. */
export const setLockTimeout = (milliseconds: number): RawBuilder<string> =>
  sql`set_config('lock_timeout', ${literal(String(milliseconds))}, true)`;

/** Limits the waits for locks until the transaction ends, also on the workers of Citus. */
export async function limitLockWaits(trx: Transaction<Tables>, isCitus: boolean, milliseconds: number): Promise<void> {
  if (isCitus) await executeWithNextStatement(trx, sql`set local citus.propagate_set_commands to 'local'`);
  const limit = isCitus
    ? sql`set local lock_timeout to ${sql.lit(milliseconds)}`
    : sql`select ${setLockTimeout(milliseconds)}`;
  await executeWithNextStatement(trx, limit);
}

/** A timestamp as text, as JavaScript writes it. */
export const isoText = (timestamp: Expression<Date | null>): RawBuilder<string> =>
  sql`to_char(${timestamp} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A JSON object. It is not a parameter: statements that are compiled once have no other parameters than their rows. */
export const jsonObject = (members: Record<string, Expression<unknown>>): RawBuilder<unknown> =>
  sql`jsonb_build_object(${sql.join(Object.entries(members).flatMap(([name, value]) => [literal(name), value]))})`;

/** The numbers of advisory locks, by what they protect. Nothing else in the database locks them. */
export const advisoryLocks = {
  migrations: 7_266_294,
  partitions: 7_266_295,
  distribution: 7_266_296,
  accounts: 7_266_297,
  /** A class: the feed of each account has a lock of its own. Classes are apart from the other numbers. */
  feeds: 7_266_297,
};

/** Calls a function of PostgreSQL. @param values its arguments @returns its result */
export async function callFunction<Result>(db: Kysely<Tables>, name: string, ...values: unknown[]): Promise<Result> {
  const { result } = await db
    .selectNoFrom((eb) => eb.fn<Result>(name, values.map(eb.val)).as('result'))
    .executeTakeFirstOrThrow();
  return result as Result;
}

/** The columns of a row as one JSON object, with times as PostgreSQL's JSON text. @param table its alias */
export const jsonOfRow = <Row extends object>(
  table: string,
  columns: readonly (keyof Row & string)[],
): RawBuilder<Row> =>
  jsonBuildObject(Object.fromEntries(columns.map((name) => [name, sql.ref(`${table}.${name}`)]))).$castTo<Row>();
