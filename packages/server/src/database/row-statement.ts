import { type AliasedRawBuilder, type Compilable, CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** Column → its type in PostgreSQL. */
type ColumnTypes<Row> = { [Column in keyof Row & string]: string };
type Value = string | number | boolean | null | Date | Buffer;

/** Rows that a statement gets. */
interface Input<Row> {
  types: ColumnTypes<Row>;
  row?: Row;
}
// biome-ignore lint/suspicious/noExplicitAny: any kind of row
type Inputs = Record<string, Input<any>>;
type RowOf<Given> = Given extends Input<infer Row> ? Row : never;
/** Executes the statement and resolves to the rows that it returns. */
export type RowStatement<Rows, Result> = (
  db: Kysely<Tables>,
  rows: { [Name in keyof Rows]: Rows[Name][] },
) => Promise<Result[]>;

/** The rows of an input in a statement. */
interface Source<Row> {
  /** As a table. Use it once. */
  as<Alias extends string>(alias: Alias): AliasedRawBuilder<Row, Alias>;
  /** The rows from one index to another, which begin at 1, as a table for a lateral join. Use it once. */
  slice<Alias extends string>(alias: Alias, first: string, last: string): AliasedRawBuilder<Row, Alias>;
  /** The distinct values of a column, as an array. */
  distinct<Column extends keyof Row & string>(column: Column): RawBuilder<Row[Column][]>;
}

/** Describes rows: the compiler requires the types of all their columns. */
export const rowsOf = <Row extends object>(types: ColumnTypes<Row>): Input<Row> => ({ types });

/** A parameter of the compiled statement. When it is executed, the values of this column replace it, as an array. */
interface ColumnOfInput {
  input: string;
  column: string;
  type: string;
  isDistinct?: true;
}

/**
 * Makes a statement about any number of rows. Each column is one parameter, an array, such as
 * `select * from unnest($1::uuid[], $2::text[])`, so that the text is compiled, parsed and planned only once.
 * @param inputs the kinds of rows
 * @param build makes the statement. Its other values are literals (`eb.lit`), because it is made once and has no other
 * parameters.
 */
export function rowStatement<Given extends Inputs, Result>(
  inputs: Given,
  build: (db: Kysely<Tables>, sources: { [Name in keyof Given]: Source<RowOf<Given[Name]>> }) => Compilable<Result>,
): RowStatement<{ [Name in keyof Given]: RowOf<Given[Name]> }, Result> {
  const sources = Object.fromEntries(
    Object.entries(inputs).map(([input, { types }]) => [input, sourceOf(input, types)]),
  ) as { [Name in keyof Given]: Source<RowOf<Given[Name]>> };
  let compiled: CompiledQuery<Result> | undefined;

  return async (db, rows) => {
    // Compiled once, with a ColumnOfInput in the place of each parameter: it says which column of the rows to send.
    compiled ??= build(db, sources).compile();
    const parameters = (compiled.parameters as ColumnOfInput[]).map(({ input, column, type, isDistinct }) => {
      const all = (rows[input] as Record<string, Value>[]).map((row) => row[column]);
      const values = isDistinct ? [...new Set(all)] : all;
      const elementOf = elements[type];
      return elementOf ? `{${values.map(elementOf).join()}}` : values;
    });
    const query = CompiledQuery.raw(compiled.sql, parameters);
    return (await db.executeQuery<Result>(query)).rows;
  };
}

/** What a statement has returned for rows, in their order. @param ids those of the rows @throws when one has no result */
export function resultsOf<Id, Result>(ids: Id[], returned: { id: Id; result: Result }[]): Result[] {
  const resultOf = new Map(returned.map(({ id, result }) => [id, result]));
  return ids.map((id) => {
    const result = resultOf.get(id);
    if (result === undefined) throw new Error('PostgreSQL returned no result for a row');
    return result;
  });
}

function sourceOf(input: string, types: Record<string, string>): Source<Record<string, unknown>> {
  const arrayOf = (column: ColumnOfInput): RawBuilder<never[]> => sql`${column}::${sql.raw(column.type)}[]`;
  const arrays = Object.entries(types).map(([column, type]) => arrayOf({ input, column, type }));
  const columns = sql.join(Object.keys(types).map((column) => sql.ref(column)));
  const tableOf = (values: RawBuilder<unknown>[]): RawBuilder<never> =>
    sql`(select * from unnest(${sql.join(values)}) as ${sql.ref(input)} (${columns}))`;
  return {
    as: (alias) => tableOf(arrays).as(alias),
    slice: (alias, first, last) =>
      tableOf(arrays.map((array) => sql`(${array})[${sql.ref(first)}:${sql.ref(last)}]`)).as(alias),
    distinct: (column) => arrayOf({ input, column, type: types[column] ?? 'text', isDistinct: true }),
  };
}

/** An element of an array literal of PostgreSQL. */
type ElementOf = (value: Value | undefined) => string;
const plain: ElementOf = (value) => (value instanceof Date ? value.toISOString() : String(value ?? 'NULL'));
/** JSON text has no control characters, so that `JSON.stringify` escapes quotes and backslashes only, as PostgreSQL does. */
const quoted: ElementOf = (value) => (typeof value === 'string' ? JSON.stringify(value) : 'NULL');
/** Types whose elements need fewer escapes than those of pg, which takes longer. */
const elements: Record<string, ElementOf> = {
  uuid: plain,
  timestamptz: plain,
  float8: plain,
  integer: plain,
  bigint: plain,
  boolean: plain,
  jsonb: quoted,
};

/**
 * Makes a table of rows for a statement of Kysely. The rows are one parameter, so that the statement has the same text for
 * any number of them, and one plan. Citus executes it on the node of the statement's account.
 */
export function recordset<Row extends object, Alias extends string>(
  alias: Alias,
  types: ColumnTypes<Row>,
  rows: Row[],
): AliasedRawBuilder<Row, Alias> {
  const columns = Object.entries<string>(types).map(([column, type]) => sql`${sql.ref(column)} ${sql.raw(type)}`);
  const definition = sql`${sql.ref(alias)} (${sql.join(columns)})`;
  return sql<Row>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`.as<Alias>(definition);
}
