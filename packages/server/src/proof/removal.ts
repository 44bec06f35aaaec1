import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { ago } from '../database/statements/expressions.ts';
import type { Tables } from '../database/tables.ts';
import type { CleanUp, ShipmentFiles } from '../feature.ts';
import { type Storage, storageKey } from '../storage/storage.ts';
import { endOfUpload, releaseBytes } from './queries.ts';

// Files are removed before their rows: a repetition finds a row without a file, but not a file without a row.

/** Uploads per transaction. It is small, because each has a file to remove. */
const uploadBatch = 100;
/** Hours after the end of an upload, so that nothing is storing or binding it while its file is removed. */
const hoursAfterEnd = 1;
/** Maximum unfinished files that a run of clean-up removes. */
const maxUnfinishedFiles = 1000;

/** Removes what stopped processes left of files, after an hour: no upload takes as long. */
export const removeUnfinishedFiles = ({ storage }: CleanUp): Promise<number> =>
  storage.removeUnfinished(new Date(Date.now() - 3_600_000), maxUnfinishedFiles);

const abandonedUploads = (db: Kysely<Tables>) =>
  db
    .selectFrom('proof_uploads')
    .where('bound_at', 'is', null)
    .where('created_at', '<=', ago(`${hoursAfterEnd} hours`)) // has an index
    .where(endOfUpload, '<=', ago(`${hoursAfterEnd} hours`))
    .limit(uploadBatch);

/** Removes uploads that became part of nothing. */
export async function removeAbandonedUploads({ db, storage, signal }: CleanUp): Promise<number> {
  let total = 0;
  let isDone = false;
  while (!isDone && !signal?.aborted) {
    const rows = await abandonedUploads(db).select('account_id').execute();
    let removed = 0;
    for (const accountId of new Set(rows.map(({ account_id }) => account_id))) {
      removed += await removeAbandonedOf(db, storage, accountId);
    }
    total += removed;
    isDone = removed < uploadBatch;
  }
  return total;
}

/** Removes those of one account, so that a transaction is on one node of Citus. */
function removeAbandonedOf(db: Database, storage: Storage, accountId: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const rows = await abandonedUploads(trx)
      .select(['id', 'size'])
      .where('account_id', '=', accountId)
      .forUpdate()
      .skipLocked()
      .execute();
    await storage.delete(rows.map(({ id }) => storageKey(accountId, id)));
    for (const { id, size } of rows) {
      await trx.deleteFrom('proof_uploads').where('account_id', '=', accountId).where('id', '=', id).execute();
      await releaseBytes(trx, accountId, size);
    }
    return rows.length;
  });
}

/** Removes the uploads of a deleted account. */
export async function removeUploadsOfAccount(db: Kysely<Tables>, storage: Storage, accountId: string): Promise<number> {
  let total = 0;
  for (let count = uploadBatch; count === uploadBatch; total += count) {
    const uploads = db.selectFrom('proof_uploads').select('id').where('account_id', '=', accountId);
    const ids = (await uploads.orderBy('id').limit(uploadBatch).execute()).map(({ id }) => id);
    count = ids.length;
    if (count === 0) break;
    await storage.delete(ids.map((id) => storageKey(accountId, id)));
    await db.deleteFrom('proof_uploads').where('account_id', '=', accountId).where('id', 'in', ids).execute();
  }
  return total;
}

/** The files of expired shipments. Another instance may be removing one that never arrived. */
export async function lockFilesOf(
  trx: Transaction<Tables>,
  accountId: string,
  shipmentIds: string[],
): Promise<ShipmentFiles> {
  const uploads = await trx
    .selectFrom('proof_uploads')
    .select(['id', 'size', 'verified_at'])
    .where('account_id', '=', accountId)
    .where('shipment_id', 'in', shipmentIds)
    .forUpdate()
    .execute();
  const keysOf = (found: typeof uploads): string[] => found.map(({ id }) => storageKey(accountId, id));
  const bytes = uploads.reduce((sum, { size }) => sum + size, 0);
  return {
    keys: keysOf(uploads),
    stored: keysOf(uploads.filter(({ verified_at }) => verified_at)),
    async release() {
      if (bytes > 0) await releaseBytes(trx, accountId, bytes);
    },
  };
}
