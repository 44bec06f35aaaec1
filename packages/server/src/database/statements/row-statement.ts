import {
  type AliasedRawBuilder,
  type Compilable,
  CompiledQuery,
  type Expression,
  type Kysely,
  type RawBuilder,
  sql,
} from 'kysely';
import type { Sendable } from '../driver.ts';
import type { Tables } from '../tables.ts';
import { isoText } from '../times.ts';

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
  /** The value of a column in the first row. Unlike a table it is known when the statement starts, and partitions are left out by it. */
  first<Column extends keyof Row & string>(column: Column): RawBuilder<Row[Column]>;
  /** The distinct values of a column, as an array. */
  distinct<Column extends keyof Row & string>(column: Column): RawBuilder<Row[Column][]>;
}

/** Describes rows: the compiler requires the types of all their columns. */
export const rowsOf = <Row extends object>(types: ColumnTypes<Row>): Input<Row> => ({ types });

type ValueRow = Record<string, Value>;

/** A parameter of a compiled statement. When it is executed, its value in the rows of the inputs replaces it. */
interface RowParameter {
  valueIn(inputs: Record<string, ValueRow[]>): unknown;
}

/** A compiled statement with the values of rows. */
const withValues = <Result>(
  { sql: text, parameters }: CompiledQuery<Result>,
  inputs: Record<string, ValueRow[]>,
): CompiledQuery<Result> =>
  CompiledQuery.raw(
    text,
    (parameters as RowParameter[]).map((parameter) => parameter.valueIn(inputs)),
  );

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
    compiled ??= build(db, sources).compile();
    return (await db.executeQuery(withValues(compiled, rows as Record<string, ValueRow[]>))).rows;
  };
}

function sourceOf(input: string, types: Record<string, string>): Source<Record<string, unknown>> {
  const arrayOf = (column: string, isDistinct = false): RawBuilder<never[]> => {
    const type = types[column] ?? 'text';
    const parameter: RowParameter = {
      valueIn: ({ [input]: rows = [] }) => arrayOfColumn(rows, column, type, isDistinct),
    };
    return sql`${parameter}::${sql.raw(type)}[]`;
  };
  const arrays = Object.keys(types).map((column) => arrayOf(column));
  const columns = sql.join(Object.keys(types).map((column) => sql.ref(column)));
  const tableOf = (values: RawBuilder<unknown>[]): RawBuilder<never> =>
    sql`(select * from unnest(${sql.join(values)}) as ${sql.ref(input)} (${columns}))`;
  return {
    as: (alias) => tableOf(arrays).as(alias),
    slice: (alias, first, last) =>
      tableOf(arrays.map((array) => sql`(${array})[${sql.ref(first)}:${sql.ref(last)}]`)).as(alias),
    first: (column) => sql`(${arrayOf(column)})[1]`,
    distinct: (column) => arrayOf(column, true),
  };
}

/** The values of a column, as an array for PostgreSQL. */
function arrayOfColumn(rows: ValueRow[], column: string, type: string, isDistinct: boolean): unknown {
  const all = rows.map((row) => row[column]);
  const values = isDistinct ? [...new Set(all)] : all;
  const elementOf = elements[type];
  return elementOf ? `{${values.map(elementOf).join()}}` : values;
}

/** Rows that are inserted as a list of values. */
const maxListed = 3;

/**
 * Makes the insertion of any number of rows into a table. Many rows are one array for each column, so that PostgreSQL parses
 * and plans the statement once. Few are a list of values, which PostgreSQL executes faster. On Citus all are, which sends each
 * to the node of its account.
 * @param types of the columns that differ between rows
 * @param fixed columns whose expressions are the same in all rows
 * @returns a function of the rows
 */
export function rowInsertion<Row extends object>(
  table: keyof Tables,
  types: ColumnTypes<Row>,
  fixed: Partial<Record<string, Expression<unknown>>> = {},
): (rows: Row[], isCitus?: boolean) => Sendable {
  const names = Object.keys(types);
  const expressions = Object.values(fixed);
  const columnsOf = (all: string[]) => sql.join(all.map((name) => sql.ref(name)));
  const insertion = (source: RawBuilder<unknown>) =>
    sql`insert into ${sql.table(table)} (${columnsOf([...names, ...Object.keys(fixed)])}) ${source}`;
  const listOf = (count: number): RawBuilder<unknown> => {
    const rowOf = (index: number) => {
      const values = names.map((name): RowParameter => ({ valueIn: ({ rows }) => rows?.[index]?.[name] }));
      return sql`(${sql.join([...values, ...expressions])})`;
    };
    return sql`values ${sql.join(Array.from({ length: count }, (_, index) => rowOf(index)))}`;
  };
  const arrays = (): RawBuilder<unknown> =>
    sql`select ${sql.join([...names.map((name) => sql.ref(name)), ...expressions])} from ${sourceOf('rows', types).as('r')}`;
  const compiled = new Map<number, CompiledQuery>(); // by the number of listed rows; 0 for arrays
  return (rows, isCitus = false) => ({
    compile(db) {
      const count = isCitus || rows.length <= maxListed ? rows.length : 0;
      let statement = compiled.get(count);
      if (!statement) {
        statement = insertion(count > 0 ? listOf(count) : arrays()).compile(db);
        compiled.set(count, statement);
      }
      return withValues(statement, { rows: rows as ValueRow[] });
    },
  });
}

/** Sorts rows by name. All instances lock in this order, so that there is no deadlock. */
export const inLockOrder = <Row>(rows: Row[], nameOf: (row: Row) => string): Row[] =>
  rows
    .map((row) => ({ row, name: nameOf(row) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ row }) => row);

/** An element of an array literal of PostgreSQL. */
type ElementOf = (value: Value | undefined) => string;
const plain: ElementOf = (value) => (value instanceof Date ? isoText(value) : String(value ?? 'NULL'));
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
