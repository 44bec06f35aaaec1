import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { at, newRoute } from '../../api/positions/route.ts';
import { needsCitus } from '../../fixtures/needs-citus.ts';
import { testWithoutCleanUp as test } from '../../fixtures/own-database.ts';
import { newShipment, upload } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

test('clean-up removes expired keys, uploads and positions of every shard', async ({ service }) => {
  needsCitus();
  const { db, storage } = service;
  const accounts = [await newAccount(service), await newAccount(service), await newAccount(service)];
  const clean = () => cleanUp({ db, storage, retention: { positionDays: 30 } });
  await clean();
  for (const account of accounts) {
    await upload(account, (await newShipment(account)).tracking_number, 'photo');
    const route = await newRoute(account);
    await route.record([at(0, { updated_at: daysAgo(60) }), at(1, { updated_at: daysAgo(20) })]);
  }
  await sql`update proof_uploads set created_at = now() - interval '26 hours' where bound_at is null`.execute(db);
  await sql`update idempotency_keys set created_at = now() - interval '25 hours'`.execute(db);
  const { rows } = await sql`select from idempotency_keys`.execute(db);
  expect(await clean()).toMatchObject({ idempotencyKeys: rows.length, uploads: 3, positions: 3 });
});

test('clean-up fails when a shard cannot be reached, after it has cleaned the others', async ({ service }) => {
  needsCitus();
  const { db, storage } = service;
  for (let count = 0; count < 20; count++) await newShipment(await newAccount(service));
  await sql`update idempotency_keys set created_at = now() - interval '25 hours'`.execute(db);
  const { rows } = await sql<{ nodeport: number; groupid: number }>`
    select groupid, nodeport from pg_dist_node where groupid <> 0 limit 1`.execute(db);
  const [worker] = rows;
  await sql`update pg_dist_node set nodeport = 1 where groupid = ${worker?.groupid}`.execute(db);
  await expect(cleanUp({ db, storage, retention: { positionDays: 30 } })).rejects.toThrow(
    /^Shard idempotency_keys_\d+ cannot be cleaned up: /,
  );
  await sql`update pg_dist_node set nodeport = ${worker?.nodeport} where groupid = ${worker?.groupid}`.execute(db);
  const left = await sql<{ nodeport: number }>`
    select distinct nodeport from idempotency_keys
    join pg_dist_placement on shardid = get_shard_id_for_distribution_column('idempotency_keys', account_id)
    join pg_dist_node using (groupid)`.execute(db);
  expect(left.rows.map(({ nodeport }) => nodeport)).toEqual([worker?.nodeport]);
});
