import { createInterface } from 'node:readline/promises';
import { readConfig } from '../config.ts';
import { type Database, openDatabase } from '../database/database.ts';

/** The environment of a command. */
export interface Context {
  /** Left out for the environment of the process. */
  env?: Record<string, string | undefined>;
  out(text: string): void;
  err(text: string): void;
  /** Asks the user. Left out when no user can respond. */
  ask?(question: string): Promise<string>;
  /** Set by a command that completes but reports a problem. */
  exitCode?: number;
}

/** Connects to the database, runs `work` and disconnects. */
export async function withDatabase({ env }: Context, work: (db: Database) => Promise<void>): Promise<void> {
  const { DATABASE_URL } = readConfig(env, ['DATABASE_URL']);
  const db = openDatabase({ url: DATABASE_URL, poolSize: 1, prepared: false });
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}

/**
 * Writes characters that control a terminal, or the direction of text, as in JSON: values of options may contain them.
 */
export const visible = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0)?.toString(16) ?? '';
    return `\\u${code.padStart(4, '0')}`;
  });

/** Prints a result: as JSON with `--json`, otherwise as text. */
export function print({ out }: Context, { json }: { json?: true }, result: object, text: string): void {
  out(`${visible(json ? JSON.stringify(result) : text)}\n`);
}

/** Formats rows as aligned columns under a header. Returns `empty` when there are none. */
export function formatTable(rows: object[], empty: string): string {
  const [first] = rows;
  if (!first) return empty;
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => names.map((name) => formatCell((row as Record<string, unknown>)[name])))];
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

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Asks the user of the terminal. Without an answer, such as after Ctrl-D, it resolves to an empty text. */
export async function ask(question: string): Promise<string> {
  using terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  return await Promise.race([terminal.question(question), closed]);
}
