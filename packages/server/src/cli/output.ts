import { readConfig } from '../config.ts';
import { connect, type Database } from '../database/connect.ts';
import type { Context } from './context.ts';

/** Connects for as long as the work takes. */
export async function withDatabase({ env }: Context, work: (db: Database) => Promise<void>): Promise<void> {
  const { DATABASE_URL } = readConfig(env, ['DATABASE_URL']);
  const db = connect({ url: DATABASE_URL, poolSize: 1, prepared: false });
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}

/** Prints a result for programs or for people. */
export function print({ out }: Context, { json }: { json?: true }, result: object, text: string): void {
  out(`${json ? JSON.stringify(result) : text}\n`);
}

/** Rows as aligned columns under a header, or one sentence when there are none. */
export function table(rows: Record<string, unknown>[], empty: string): string {
  const [first] = rows;
  if (!first) return empty;
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return value instanceof Date ? value.toISOString() : String(value);
}
