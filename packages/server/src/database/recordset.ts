import { type AliasedRawBuilder, sql } from 'kysely';
import type { ColumnTypes } from './row-statement.ts';

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
