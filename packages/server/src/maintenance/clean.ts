import { sql } from 'kysely';
import { keptHours } from '../contract/outcomes.ts';
import type { Database } from '../database/connect.ts';
import { uploadLife } from '../proof/queries.ts';
import { type Storage, storageKey } from '../storage/storage.ts';

/** One statement removes at most this many rows, so that no other has to wait long for it. */
const batch = 1000;
/** Each has a file to remove. */
const uploadBatch = 100;
/** One run makes at most this many statements of a kind; the rest is left to the next. */
const batches = 20;
/** An hour longer than an upload can be bound, so that nothing is still binding it while its file goes. */
const uploadHours = uploadLife / 3_600_000 + 1;

/** What a run removed. */
export interface Removed {
  idempotencyKeys: number;
  uploads: number;
  unfinishedFiles: number;
  positions: number;
}

/** Repeats a bounded removal until there is nothing left, or it is enough for now. @returns how much was removed */
async function drain(remove: () => Promise<number>, size = batch): Promise<number> {
  let total = 0;
  for (let round = 0; round < batches; round++) {
    const removed = await remove();
    total += removed;
    if (removed < size) break;
  }
  return total;
}

const count = ({ rows }: { rows: unknown[] }): number => rows.length;

/**
 * Removes what has expired. Several instances may run it at once: each passes over the rows that another is removing.
 * These queries name no account, because expiry is the same for all.
 * @param positionDays how long positions are kept
 */
export async function clean(db: Database, storage: Storage, positionDays: number): Promise<Removed> {
  const idempotencyKeys = await drain(async () =>
    count(
      await sql`delete from idempotency_keys where (account_id, key) in (
        select account_id, key from idempotency_keys
        where created_at <= now() - make_interval(hours => ${keptHours})
        limit ${batch} for update skip locked) returning 1`.execute(db),
    ),
  );
  const positions = await drain(async () =>
    count(
      await sql`delete from positions where (account_id, shipment_id, updated_at) in (
        select account_id, shipment_id, updated_at from positions
        where updated_at <= now() - make_interval(days => ${positionDays})
        limit ${batch} for update skip locked) returning 1`.execute(db),
    ),
  );
  const uploads = await drain(() => removeUploads(db, storage), uploadBatch);
  const unfinishedFiles = await removeUnfinished(storage);
  return { idempotencyKeys, uploads, unfinishedFiles, positions };
}

/** Files go before their rows: a row without a file can be found again, a file without a row cannot. */
function removeUploads(db: Database, storage: Storage): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ account_id: string; id: string }>`
      select account_id, id from proof_uploads
      where bound_at is null and created_at <= now() - make_interval(hours => ${uploadHours})
      limit ${uploadBatch} for update skip locked`.execute(trx);
    for (const { account_id, id } of rows) await storage.delete(storageKey(account_id, id));
    for (const { account_id, id } of rows) {
      await trx.deleteFrom('proof_uploads').where('account_id', '=', account_id).where('id', '=', id).execute();
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
