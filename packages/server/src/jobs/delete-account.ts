import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { type Storage, storageKey } from '../storage/storage.ts';

/** Maximum rows that a statement deletes, so that a large account does not delay others. */
const batchSize = 5_000;
/** Uploads per statement. It is small, because each has a file to remove. */
const uploadBatch = 100;

/** Tables that contain no data of an account, or that are deleted in a way of their own. */
type OtherTable = 'accounts' | 'api_keys' | 'audit_log' | 'proof_uploads' | 'instances' | 'webhook_leases';

/**
 * The tables with the data of an account, and the columns of their primary keys that order its rows. A table comes before
 * those that its foreign keys name.
 */
const tables: Record<Exclude<keyof Tables, OtherTable>, string[]> = {
  accesses: ['shipment_id', 'id'],
  webhook_deliveries: ['endpoint_id', 'id'],
  webhook_endpoints: ['id'],
  enabled_webhook_endpoints: ['endpoint_id'], // after the endpoints, which instances would list again
  idempotency_keys: ['key'],
  events: ['number'],
  removed_events: ['account_id'],
  positions: ['shipment_id', 'updated_at'],
  current_positions: ['shipment_id'],
  tracking_events: ['shipment_id', 'version'],
  proofs: ['shipment_id'],
  exceptions: ['shipment_id', 'id'],
  shipments: ['id'],
  stored_bytes: ['account_id'],
};

/** Counting ends here. */
const maxCount = 10_000;

/** What an account has, of each at most 10,001. */
export interface Content {
  shipments: number;
  positions: number;
  events: number;
  files: number;
  webhookEndpoints: number;
  keys: number;
}

/** Counts what the deletion of an account would remove. */
export async function contentOf(db: Kysely<Tables>, accountId: string): Promise<Content> {
  const count = async (table: keyof Tables): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count
      from (select from ${sql.table(table)} where account_id = ${accountId} limit ${maxCount + 1}) as counted`.execute(
      db,
    );
    return rows[0]?.count ?? 0;
  };
  return {
    shipments: await count('shipments'),
    positions: await count('positions'),
    events: await count('events'),
    files: await count('proof_uploads'),
    webhookEndpoints: await count('webhook_endpoints'),
    keys: await count('api_keys'),
  };
}

/** Formats a count of `contentOf`. */
export const formatCount = (count: number): string =>
  count > maxCount ? `more than ${maxCount.toLocaleString('en')}` : count.toLocaleString('en');

/**
 * Deletes an account with its files, keys and all data but the audit log. When it fails, it can be repeated.
 * @returns the number of rows that were deleted from each table
 */
export async function deleteAccount(
  db: Kysely<Tables>,
  storage: Storage,
  accountId: string,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = { proof_uploads: await deleteUploads(db, storage, accountId) };
  for (const [table, columns] of Object.entries(tables)) {
    deleted[table] = await deleteRows(db, accountId, table, columns);
  }
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('api_keys').where('account_id', '=', accountId).execute();
    await trx.deleteFrom('accounts').where('account_id', '=', accountId).execute();
  });
  return deleted;
}

/** Removes files before their rows: a repetition finds a row without a file, but not a file without a row. */
async function deleteUploads(db: Kysely<Tables>, storage: Storage, accountId: string): Promise<number> {
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

/** Deletes the rows of an account in the order of its primary key. */
async function deleteRows(db: Kysely<Tables>, accountId: string, table: string, columns: string[]): Promise<number> {
  const rows = sql`${sql.table(table)} where account_id = ${accountId}`;
  const key = sql.join(columns.map((name) => sql.ref(name)));
  const remove = async (query: ReturnType<typeof sql>): Promise<number> =>
    Number((await query.execute(db)).numAffectedRows ?? 0);
  let total = 0;
  for (let count = 1; count > 0; total += count) {
    // Nothing is compared, and so deleted, when fewer rows are left.
    const last = sql`select ${key} from ${rows} order by ${key} offset ${batchSize - 1} limit 1`;
    count = await remove(sql`delete from ${rows} and (${key}) <= (${last})`);
  }
  return total + (await remove(sql`delete from ${rows}`));
}
