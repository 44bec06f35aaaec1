import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@waybill/server/database/database';
import { startInstances } from '@waybill/tools/cluster/instances';
import { startPgBouncer } from '@waybill/tools/cluster/pgbouncer';
import { redisServer } from '@waybill/tools/redis';
import { expect, inject } from 'vitest';
import { startLoad } from '../fixtures/load.ts';
import { expectReplay, post } from '../fixtures/post.ts';
import { commonSettings } from '../fixtures/settings.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { testWithCluster, why } from './programs.ts';

const shipments = { path: '/shipments', body: shipmentRequest() };

testWithCluster(`a rolling restart behind HAProxy and PgBouncer fails no request and loses nothing${why}`, async () => {
  await using stack = new AsyncDisposableStack();
  const pgBouncer = stack.use(await startPgBouncer(inject('databaseUrl')));
  const redis = stack.use(await redisServer());
  await redis.start();
  const folder = await mkdtemp(join(tmpdir(), 'waybill-files-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const settings = {
    ...commonSettings,
    CHECK_RESPONSES: 'false',
    DATABASE_PREPARED: 'false',
    DATABASE_URL: pgBouncer.through(inject('databaseUrl')),
    DRAIN_MS: '2000',
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    STORAGE_URL: `file:${folder}`,
  };
  const instances = stack.use(await startInstances(settings, AbortSignal.timeout(100_000)));
  const db = openDatabase({ url: inject('databaseUrl'), poolSize: 1, prepared: false });
  stack.defer(() => db.destroy());
  const { baseUrl } = instances;
  const account = await newAccount({ db, baseUrl });

  const first = await post(instances, account, { ...shipments, key: 'k' });
  for (let n = 0; n < 2; n++) expectReplay(await post(instances, account, { ...shipments, key: 'k' }), first);
  const statuses: number[] = [];
  {
    await using load = startLoad(4, async () => {
      const { status } = await post(instances, account, shipments);
      statuses.push(status);
      return { status };
    });
    await load.sees(201);
    for (const index of [0, 1]) {
      await instances.stop(index);
      await load.sees(201);
      await instances.restart(index);
    }
    await load.sees(201);
    expect(load.errors).toEqual([]);
  }
  expect(statuses.filter((status) => status !== 201)).toEqual([]);
  let stored = 0;
  for await (const _ of account.client.listShipments({ limit: 100 })) stored++;
  expect(stored).toBe(1 + statuses.length);
});
