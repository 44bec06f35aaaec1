import type { Database } from '@waybill/server/database/database';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { needsCitus } from '../fixtures/needs-citus.ts';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { ownMigratedDatabase } from '../fixtures/own-database.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount } from '../fixtures/test.ts';
import { createEndpoint, deliveries, on } from './endpoints.ts';
import { startReceiver } from './receiver.ts';

/** The group of the worker that stores an account. */
async function workerOf(db: Database, { id }: Pick<TestAccount, 'id'>): Promise<number> {
  const { rows } = await sql<{ groupid: number }>`
    select groupid from pg_dist_placement
    where shardid = get_shard_id_for_distribution_column('webhook_endpoints', ${id}::uuid)`.execute(db);
  return rows[0]?.groupid ?? expect.unreachable();
}

/** Makes the coordinator connect to a worker at another port: to 1, where nothing listens, and back. */
async function setPort(db: Database, worker: number, port: number): Promise<number> {
  const { rows } = await sql<{ nodeport: number }>`select nodeport from pg_dist_node where groupid = ${worker}`.execute(
    db,
  );
  await sql`update pg_dist_node set nodeport = ${port} where groupid = ${worker}`.execute(db);
  return rows[0]?.nodeport ?? expect.unreachable();
}

test('while a worker of Citus is stopped, the webhooks of accounts on others are sent', async () => {
  notWithCluster('it starts the instances itself');
  needsCitus();
  await using database = await ownMigratedDatabase();
  const { db } = database;
  await using receiver = await startReceiver();
  await using first = await startService({ DATABASE_URL: database.url });
  const [lost, healthy] = [await newAccount(first), await newAccount(first)];
  let account = healthy;
  const worker = await workerOf(db, lost);
  while ((await workerOf(db, account)) === worker) account = await newAccount(first);

  const { path: lostPath } = await createEndpoint(lost, receiver.url);
  const { path } = await createEndpoint(account, receiver.url);
  await newShipment(lost);
  await newShipment(account);
  const delivered = (by: Pick<TestAccount, 'client'>, of: typeof path, count: number) =>
    deliveries(by, of, (all) => all.length === count && all.every(({ status }) => status === 'delivered'));
  await delivered(lost, lostPath, 1);
  await delivered(account, path, 1);

  const port = await setPort(db, worker, 1);
  await expect(lost.client.sendTestWebhook(lostPath, { maxRetries: 0 })).rejects.toMatchObject({
    status: 503,
  });
  await newShipment(account);
  await delivered(account, path, 2);
  const { path: added } = await createEndpoint(account, receiver.url);
  await account.client.sendTestWebhook(added);
  await delivered(account, added, 1);
  await account.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  await newShipment(account);
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await delivered(account, path, 3);

  // An instance that starts meanwhile finds the endpoints of the others.
  await using second = await startService({ DATABASE_URL: database.url });
  await first[Symbol.asyncDispose]();
  await newShipment(on(second, account));
  await delivered(on(second, account), path, 4);

  await setPort(db, worker, port);
  await newShipment(on(second, lost));
  await delivered(on(second, lost), lostPath, 2);
});
