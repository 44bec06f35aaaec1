import { sql } from 'kysely';
import type { Database } from '../database/connect.ts';
import { uploadLife } from '../proof/queries.ts';
import { releaseBytes } from '../storage/quota.ts';
import { type Storage, storageKey } from '../storage/storage.ts';
import { deleteExpiredKeys, deleteExpiredPositions, drain } from './expired-rows.ts';
import { updatePositionDays } from './position-days.ts';

/** One run looks at this many unfinished files. */
const batch = 1000;
/** Each has a file to remove. */
const uploadBatch = 100;
/** An hour longer than an upload can be bound, so that nothing is still binding it while its file goes. */
const uploadHours = uploadLife / 3_600_000 + 1;

/** What a run removed. */
export interface Removed {
  idempotencyKeys: number;
  uploads: number;
  unfinishedFiles: number;
  /** Partitions of a day each. */
  positionDays: number;
  /** Positions of days that have no partition of their own. */
  positions: number;
}

/**
 * Removes what has expired, until nothing is left or the signal aborts. Several instances may run it at once: each passes
 * over the rows that another is removing.
 * @param positionDays for how many days positions are retained; they are removed when their whole day (UTC) has expired
 */
export async function clean(
  db: Database,
  storage: Storage,
  positionDays: number,
  signal?: AbortSignal,
): Promise<Removed> {
  const idempotencyKeys = await deleteExpiredKeys(db, signal);
  const uploads = await drain(() => removeUploads(db, storage), uploadBatch, signal);
  const unfinishedFiles = await removeUnfinished(storage);
  // Last, because it fails for a database role that does not own the table.
  const positions = await deleteExpiredPositions(db, positionDays, signal);
  const { dropped } = await updatePositionDays(db, positionDays, signal);
  return { idempotencyKeys, uploads, unfinishedFiles, positionDays: dropped, positions };
}

/** Files go before their rows: a row without a file can be found again, a file without a row cannot. */
function removeUploads(db: Database, storage: Storage): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ account_id: string; id: string; size: number }>`
      select account_id, id, size from proof_uploads
      where bound_at is null and created_at <= now() - make_interval(hours => ${uploadHours})
      limit ${uploadBatch} for update skip locked`.execute(trx);
    for (const { account_id, id } of rows) await storage.delete(storageKey(account_id, id));
    // In one order for all instances, so that they do not wait for each other in a cycle.
    for (const { account_id, id, size } of rows.sort((a, b) => a.account_id.localeCompare(b.account_id))) {
      await trx.deleteFrom('proof_uploads').where('account_id', '=', account_id).where('id', '=', id).execute();
      await releaseBytes(trx, account_id, size);
    }
    return rows.length;
  });
}

/** Removes what a process that died was receiving: no upload takes an hour. */
async function removeUnfinished(storage: Storage): Promise<number> {
  const files = await storage.listIncoming();
  const left = files.filter(({ changedAt }) => changedAt.getTime() <= Date.now() - 3_600_000);
  for (const { name } of left.slice(0, batch)) await storage.discard(name);
  return Math.min(left.length, batch);
}
