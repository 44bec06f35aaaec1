import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { ago, isOneOf } from '../database/expressions.ts';
import { newUuid } from '../database/identifiers.ts';
import type { Tables } from '../database/tables.ts';
import { releaseBytes } from '../proof/queries.ts';
import { type Storage, storageKey } from '../storage/storage.ts';

/** Shipments that a transaction removes. Each may have hundreds of positions and files. */
const batchSize = 50;

/** No event follows these. An index contains the shipments that have them. */
const ends = ['delivered', 'cancelled'];

/** The tables with rows of a shipment, in the order of their removal, and what an export leaves out. */
const tables = {
  accesses: ['secret_hash'],
  positions: [],
  current_positions: [],
  tracking_events: [],
  proofs: [],
  exceptions: [],
  proof_uploads: [],
} satisfies Partial<Record<keyof Tables, string[]>>;

export interface ShipmentRetention {
  /** Days after the last change of a shipment that has ended. */
  days: number;
  /** The folder for what is removed; empty for no export. */
  exportFolder: string;
}

/**
 * Removes shipments that have ended, with everything that belongs to them, until none is left or the signal aborts. Several
 * instances may run it at once. On Citus each transaction is on the node of one account.
 * @returns their number
 */
export async function expireShipments(
  db: Database,
  storage: Storage,
  retention: ShipmentRetention,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  let removed = batchSize;
  while (removed === batchSize && !signal?.aborted) {
    const rows = await db
      .selectFrom('shipments')
      .where(isExpired(retention.days))
      .select(['account_id', 'id'])
      .orderBy('updated_at')
      .limit(batchSize)
      .execute();
    removed = 0;
    for (const [accountId, found] of Map.groupBy(rows, ({ account_id }) => account_id)) {
      const ids = found.map(({ id }) => id);
      removed += await db.transaction().execute((trx) => removeExpired(trx, storage, accountId, ids, retention));
    }
    total += removed;
  }
  return total;
}

const isExpired = (days: number): RawBuilder<boolean> =>
  sql`${isOneOf('status', ends)} and updated_at <= ${ago(`${days} days`)}`;

async function removeExpired(
  trx: Transaction<Tables>,
  storage: Storage,
  accountId: string,
  found: string[],
  { days, exportFolder }: ShipmentRetention,
): Promise<number> {
  // Compared again: one may have changed, or another instance may have removed it. Not in a condition, for which PostgreSQL may
  // read the shipments of all accounts.
  const rows = await trx
    .selectFrom('shipments')
    .select(['id', isExpired(days).as('is_expired')])
    .where('account_id', '=', accountId)
    .where('id', 'in', found)
    .forUpdate()
    .skipLocked()
    .execute();
  const ids = rows.filter(({ is_expired }) => is_expired).map(({ id }) => id);
  if (ids.length === 0) return 0;
  const uploads = await trx
    .selectFrom('proof_uploads')
    .select(['id', 'size', 'verified_at'])
    .where('account_id', '=', accountId)
    .where('shipment_id', 'in', ids)
    .forUpdate() // another instance may be removing one that never arrived
    .execute();
  const keys = uploads.map(({ id }) => storageKey(accountId, id));
  // The others never arrived.
  const stored = uploads.filter(({ verified_at }) => verified_at).map(({ id }) => storageKey(accountId, id));
  if (exportFolder !== '') await exportAll(trx, storage, accountId, ids, { folder: exportFolder, keys: stored });
  // Files before their rows: a repetition finds a row without a file, but not a file without a row.
  await storage.delete(keys);
  for (const table of Object.keys(tables) as (keyof typeof tables)[])
    await trx.deleteFrom(table).where('account_id', '=', accountId).where('shipment_id', 'in', ids).execute();
  await trx.deleteFrom('shipments').where('account_id', '=', accountId).where('id', 'in', ids).execute();
  const bytes = uploads.reduce((sum, { size }) => sum + size, 0);
  if (bytes > 0) await releaseBytes(trx, accountId, bytes);
  return ids.length;
}

/**
 * Writes the shipments, a line each, and their files, before they are removed. When the removal fails after that, a later
 * file contains them again.
 */
async function exportAll(
  trx: Transaction<Tables>,
  storage: Storage,
  accountId: string,
  ids: string[],
  { folder, keys }: { folder: string; keys: string[] },
): Promise<void> {
  for (const key of keys) await exportFile(storage, key, join(folder, 'files', key));
  const lines: string[] = [];
  for (const id of ids) lines.push(`${JSON.stringify(await contentOf(trx, accountId, id))}\n`);
  // The name orders the files by time.
  const name = `shipments-${new Date().toISOString().replaceAll(':', '')}-${newUuid()}.ndjson`;
  await writeAtomically(join(folder, accountId, name), (draft) => writeFile(draft, lines.join(''), { mode: 0o600 }));
}

/** All rows of a shipment by table, as they are stored. Secrets are left out. */
async function contentOf(trx: Transaction<Tables>, accountId: string, id: string): Promise<object> {
  const read = async (table: keyof Tables, idColumn: string, secrets: string[]): Promise<object[]> => {
    const { rows } = await sql<{ row: object }>`
      select to_jsonb(t) - ${secrets}::text[] as row from ${sql.table(table)} t
      where t.account_id = ${accountId} and ${sql.ref(`t.${idColumn}`)} = ${id}`.execute(trx);
    return rows.map(({ row }) => row);
  };
  const [shipment] = await read('shipments', 'id', ['handover_code']);
  const content: Record<string, unknown> = { shipment };
  for (const [table, secrets] of Object.entries(tables))
    content[table] = await read(table as keyof typeof tables, 'shipment_id', secrets);
  return content;
}

/** A file that is lost becomes an empty one. */
const exportFile = (storage: Storage, key: string, path: string): Promise<void> =>
  writeAtomically(path, async (draft) => {
    const file = await storage.open(key);
    await pipeline(file?.read() ?? Readable.from([]), createWriteStream(draft, { mode: 0o600 }));
  });

/** A file appears under its name complete and synced. */
async function writeAtomically(path: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.incomplete-${newUuid()}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await write(draft);
    const file = await open(draft);
    await file.sync().finally(() => file.close());
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
