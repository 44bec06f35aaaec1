import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { openDatabase } from '@waybill/server/database/database';
import { migrate } from '@waybill/server/database/migrate';
import { watchConnections } from '@waybill/server/database/watch';
import { startRestartablePostgres } from '@waybill/tools/restartable-postgres';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { databaseUrl } from '../fixtures/database-url.ts';
import { startLoad } from '../fixtures/load.ts';
import { startService } from '../fixtures/service.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { readsAndWrites } from './requests.ts';

/** Starts a migrated PostgreSQL that the test may freeze, stop and start again. It need not wait for the disk: it never crashes. */
async function ownPostgres() {
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-outage-'));
  const postgres = await startRestartablePostgres({ dataDir, settings: { fsync: 'off' } }, console.error);
  await using db = openDatabase({ url: postgres.url, poolSize: 1, prepared: false });
  await migrate(db);
  return postgres;
}

test('requests return 503 with Retry-After while PostgreSQL is frozen or stopped, and 200 afterwards', async () => {
  await using postgres = await ownPostgres();
  await using service = await startService({ DATABASE_URL: postgres.url, DATABASE_TIMEOUT_MS: '1000' });
  const health = async (path: string) => (await fetch(`${service.origin}/health/${path}`)).status;
  const { send, expectStored } = await readsAndWrites(service);
  await using load = startLoad(4, send);
  await load.sees(200);
  await postgres.signal('SIGSTOP');
  await load.settles(503);
  await postgres.signal('SIGCONT');
  await load.settles(200);
  await postgres.end('SIGINT');
  await load.settles(503);
  expect(await health('live')).toBe(200);
  await vi.waitFor(async () => expect(await health('ready')).toBe(503), waitTimeout);
  await postgres.start();
  await load.settles(200);
  await vi.waitFor(async () => expect(await health('ready')).toBe(200), waitTimeout);
  expect(load.errors).toEqual([]);
  expect(new Set(load.statuses)).toEqual(new Set([200, 503]));
  await expectStored();
});

test('a session whose response arrives while its connection is checked is not terminated', async () => {
  const database = new URL(databaseUrl());
  const client = new pg.Client(database.href);
  client.on('error', () => {}); // a terminated session fails the query below
  await client.connect();
  const checked = Promise.withResolvers<void>();
  // The response arrives while the check connects to PostgreSQL.
  const server = createServer((socket) => {
    watch.stopWaiting(client);
    const target = createConnection(Number(database.port), database.hostname);
    pipeline(socket, target, socket, () => checked.resolve());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const throughServer = new URL(database);
  throughServer.port = String((server.address() as AddressInfo).port);
  const watch = watchConnections(throughServer.href, 800);

  watch.startWaiting(client);
  await checked.promise;
  watch.close();
  server.close();
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await client.end();
});
