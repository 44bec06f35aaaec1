import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  const state: State = { files: await filesOf(join(storageFolder, id)) };
  for (const { name, row } of rows) state[name] = [...(state[name] ?? []), row];
  return state;
}

/** A file that is still being received is not among them. */
async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []); // the first file creates the folder
  const hash = async (name: string): Promise<string> =>
    createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex');
  return Promise.all(names.sort().map(async (name) => `${name} ${await hash(name)}`));
}
