import type { Database } from '@waybill/server/database/database';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { newAccount, type TestAccount } from '../../fixtures/test.ts';

/** The group of the worker that stores an account. */
async function workerOf(db: Database, { id }: Pick<TestAccount, 'id'>): Promise<number> {
  const { rows } = await sql<{ groupid: number }>`
    select groupid from pg_dist_placement
    where shardid = get_shard_id_for_distribution_column('webhook_endpoints', ${id}::uuid)`.execute(db);
  return rows[0]?.groupid ?? expect.unreachable();
}

/** Two accounts on different workers, and the group of the first one's. */
export async function accountsOnTwoWorkers(service: Parameters<typeof newAccount>[0]) {
  const [lost, healthy] = [await newAccount(service), await newAccount(service)];
  let account = healthy;
  const worker = await workerOf(service.db, lost);
  while ((await workerOf(service.db, account)) === worker) account = await newAccount(service);
  return { lost, healthy: account, worker };
}

/**
 * Makes the coordinator connect to a worker at another port: to 1, where nothing listens, and back.
 * @returns the port before
 */
export async function setPort(db: Database, worker: number, port: number): Promise<number> {
  const { rows } = await sql<{ nodeport: number }>`select nodeport from pg_dist_node where groupid = ${worker}`.execute(
    db,
  );
  await sql`update pg_dist_node set nodeport = ${port} where groupid = ${worker}`.execute(db);
  return rows[0]?.nodeport ?? expect.unreachable();
}
