import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import { holdUntilCommit } from './round-trips.ts';
import type { Tables } from './tables.ts';

type Source = RawBuilder<unknown>;
/** Column → its type in PostgreSQL. */
type Columns<Row> = { [Column in keyof Row & string]: string };
type Value = string | number | boolean | null | Date | Buffer;
type Row<Names> = { [Column in keyof Names]: Value };
/** Resolves to the rows that the statement returns. */
export type RowStatement<Inputs, Result> = (
  db: Kysely<Tables>,
  rows: { [Name in keyof Inputs & string]: Inputs[Name][] },
) => Promise<Result[]>;

/** A parameter of the compiled statement. When it is executed, the values of this column replace it, as an array. */
interface ColumnOfInput {
  input: string;
  column: string;
  type: string;
}

/**
 * Makes a statement about any number of rows. Each column is one parameter, an array, such as
 * `select * from unnest($1::uuid[], $2::text[])`, so that the text is compiled, parsed and planned only once.
 * @param inputs the columns of each kind of row
 * @param build makes the statement; it selects from each input, such as `from ${shipments} as s`, once. Other values are
 * `sql.lit`, because the statement is made once and has no other parameters.
 * @param withCommit sends the statement together with the commit of its transaction (round-trips.ts)
 */
export function rowStatement<Inputs extends { [Name in keyof Inputs]: Row<Inputs[Name]> }, Result>(
  inputs: { [Name in keyof Inputs & string]: Columns<Inputs[Name]> },
  build: (sources: { [Name in keyof Inputs & string]: Source }) => RawBuilder<Result>,
  { withCommit = false }: { withCommit?: boolean } = {},
): RowStatement<Inputs, Result> {
  const sources = Object.fromEntries(
    Object.entries<Record<string, string>>(inputs).map(([input, columns]) => [input, unnest(input, columns)]),
  ) as { [Name in keyof Inputs & string]: Source };
  let compiled: CompiledQuery | undefined;

  return async (db, rows) => {
    // Compiled once, with a ColumnOfInput in the place of each parameter: it says which column of the rows to send.
    if (!compiled) {
      compiled = build(sources).compile(db);
      if (withCommit) holdUntilCommit(compiled.sql);
    }
    const parameters = (compiled.parameters as ColumnOfInput[]).map(({ input, column, type }) => {
      const values = (rows[input as keyof Inputs & string] as Record<string, Value>[]).map((row) => row[column]);
      return needsNoEscape.has(type) ? `{${values.map(literalOf).join()}}` : values;
    });
    return (await db.executeQuery<Result>(CompiledQuery.raw(compiled.sql, parameters))).rows;
  };
}

/** Columns as a list of identifiers, such as for `insert into`. */
export const columnList = (columns: readonly string[]): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql.ref(column)));

/** The rows of an input as a table. */
function unnest(input: string, columns: Record<string, string>): Source {
  const arrays = Object.entries(columns).map(
    ([column, type]) => sql`${{ input, column, type } satisfies ColumnOfInput}::${sql.raw(type)}[]`,
  );
  const table = columnList(Object.keys(columns));
  return sql`(select * from unnest(${sql.join(arrays)}) as ${sql.ref(input)} (${table}))`;
}

/** Types whose values have no character that an array literal escapes. pg would search each value for them. */
const needsNoEscape = new Set(['uuid', 'timestamptz', 'float8', 'integer', 'boolean']);

/** A value in an array literal of PostgreSQL. */
const literalOf = (value: Value | undefined): string =>
  value instanceof Date ? value.toISOString() : String(value ?? 'NULL');
