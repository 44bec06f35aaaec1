import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { finalStatuses } from '@waybill/contract/statuses';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { newUuid } from '../database/identifiers.ts';
import { ago, isOneOf } from '../database/statements/expressions.ts';
import type { Tables } from '../database/tables.ts';
import type { AllTableRules, CleanUp, ShipmentFiles, ShipmentRetention, TableRules } from '../feature.ts';
import type { Storage } from '../storage/storage.ts';

/** Shipments that a transaction removes. Each may have hundreds of positions and files. */
const batchSize = 50;

/**
 * Removes shipments that have ended, with everything that belongs to them, until none is left or the signal aborts. Several
 * instances may run it at once. On Citus each transaction is on the node of one account.
 * @returns their number
 */
export async function expireShipments({ db, storage, retention, signal, tables }: CleanUp): Promise<number> {
  if (!retention.shipments) return 0;
  const { days } = retention.shipments;
  let total = 0;
  let removed = batchSize;
  while (removed === batchSize && !signal?.aborted) {
    const rows = await db
      .selectFrom('shipments')
      .where(isExpired(days))
      .select(['account_id', 'id'])
      .orderBy('updated_at')
      .limit(batchSize)
      .execute();
    removed = 0;
    for (const [accountId, found] of Map.groupBy(rows, ({ account_id }) => account_id)) {
      const ids = found.map(({ id }) => id);
      const expiry = { accountId, storage, tables, ...retention.shipments };
      removed += await db.transaction().execute((trx) => removeExpired(trx, ids, expiry));
    }
    total += removed;
  }
  return total;
}

/** An index contains the shipments that have ended. */
const isExpired = (days: number): RawBuilder<boolean> =>
  sql`${isOneOf('status', finalStatuses)} and updated_at <= ${ago(`${days} days`)}`;

type Expiry = { accountId: string } & Pick<CleanUp, 'storage' | 'tables'> & ShipmentRetention;

async function removeExpired(trx: Transaction<Tables>, found: string[], expiry: Expiry): Promise<number> {
  const { accountId } = expiry;
  // Compared again: one may have changed, or another instance may have removed it. Not in a condition, for which PostgreSQL may
  // read the shipments of all accounts.
  const rows = await trx
    .selectFrom('shipments')
    .select(['id', isExpired(expiry.days).as('is_expired')])
    .where('account_id', '=', accountId)
    .where('id', 'in', found)
    .forUpdate()
    .skipLocked()
    .execute();
  const ids = rows.filter(({ is_expired }) => is_expired).map(({ id }) => id);
  if (ids.length === 0) return 0;
  const tables = tablesOfShipments(expiry.tables);
  const files: ShipmentFiles[] = [];
  for (const { plan } of tables) if (plan.files) files.push(await plan.files(trx, accountId, ids));
  if (expiry.exportFolder !== '') await exportAll(trx, ids, files, expiry);
  await expiry.storage.delete(files.flatMap(({ keys }) => keys));
  for (const { table } of tables)
    await trx
      .deleteFrom(table as 'proofs')
      .where('account_id', '=', accountId)
      .where('shipment_id', 'in', ids)
      .execute();
  await trx.deleteFrom('shipments').where('account_id', '=', accountId).where('id', 'in', ids).execute();
  for (const { release } of files) await release();
  return ids.length;
}

/** The tables whose rows are removed with their shipments, first those with foreign keys. */
const tablesOfShipments = (tables: AllTableRules) =>
  Object.entries<TableRules>(tables)
    .flatMap(([table, { ofShipment: plan = 'stays' }]) => (plan === 'stays' ? [] : { table, plan }))
    .reverse();

/**
 * Writes the shipments, a line each, and their files, before they are removed. When the removal fails after that, a later
 * file contains them again.
 */
async function exportAll(
  trx: Transaction<Tables>,
  ids: string[],
  files: ShipmentFiles[],
  { accountId, exportFolder, storage, tables }: Expiry,
): Promise<void> {
  for (const key of files.flatMap(({ stored }) => stored))
    await exportFile(storage, key, join(exportFolder, 'files', key));
  const lines: string[] = [];
  for (const id of ids) lines.push(`${JSON.stringify(await contentOf(trx, accountId, id, tables))}\n`);
  // The name orders the files by time.
  const name = `shipments-${new Date().toISOString().replaceAll(':', '')}-${newUuid()}.ndjson`;
  const path = join(exportFolder, accountId, name);
  await writeAtomically(path, (draft) => writeFile(draft, lines.join(''), { mode: 0o600 }));
}

/** All rows of a shipment by table, as they are stored. Secrets are left out. */
async function contentOf(
  trx: Transaction<Tables>,
  accountId: string,
  id: string,
  tables: AllTableRules,
): Promise<object> {
  const read = async (table: string, idColumn: string, secrets: string[]): Promise<object[]> => {
    const { rows } = await sql<{ row: object }>`
      select to_jsonb(t) - ${secrets}::text[] as row from ${sql.table(table)} t
      where t.account_id = ${accountId} and ${sql.ref(`t.${idColumn}`)} = ${id}`.execute(trx);
    return rows.map(({ row }) => row);
  };
  const [shipment] = await read('shipments', 'id', ['handover_code']);
  const content: Record<string, unknown> = { shipment };
  for (const { table, plan } of tablesOfShipments(tables))
    content[table] = await read(table, 'shipment_id', plan.secrets);
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
