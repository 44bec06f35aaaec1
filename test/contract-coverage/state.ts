import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Database } from '@waybill/server/database/connect';
import { sql } from 'kysely';
import type { TestAccount } from '../fixtures/test.ts';

/** Everything that is stored for an account: table → its rows as JSON, and file → the SHA-256 of its bytes. */
export type State = Record<string, string[]>;

/** What every request may change: the last use of a key, and stored responses. */
const changing = { column: 'last_used_at', table: 'idempotency_keys' };

/** Reads the state of an account from every table and file. */
export async function stateOf(db: Database, storageFolder: string, { id }: Pick<TestAccount, 'id'>): Promise<State> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname = 'account_id' and c.relname <> ${changing.table} order by name`.execute(db);
  const parts = tables.map(
    ({ name }) => sql`
      select ${name} as name, (to_jsonb(t) - ${changing.column}::text)::text as row
      from ${sql.table(name)} t where account_id = ${id}`,
  );
  const { rows } = await sql<{
    name: string;
    row: string;
  }>`${sql.join(parts, sql` union all `)} order by name, row`.execute(db);
  const state: State = { files: await filesOf(storageFolder, id) };
  for (const { name, row } of rows) state[name] = [...(state[name] ?? []), row];
  return state;
}

/** Leaves out files that are still being received. */
async function filesOf(folder: string, accountId: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((path) => !path.startsWith('incoming') && path.includes(accountId));
  const hash = async (path: string): Promise<string> =>
    createHash('sha256')
      .update(await readFile(join(folder, path)))
      .digest('hex');
  return Promise.all(paths.sort().map(async (path) => `${path} ${await hash(path)}`));
}
