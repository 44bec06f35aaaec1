import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { connect } from '@waybill/server/database/connect';
import { migrate } from '@waybill/server/database/migrate';
import { watchConnections } from '@waybill/server/database/watch';
import { startProxy } from '@waybill/tools/network';
import { startPostgres } from '@waybill/tools/postgres';
import { processAndChildren } from '@waybill/tools/processes';
import pg from 'pg';
import { expect, inject, test, vi } from 'vitest';
import { startLoad } from '../fixtures/load.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { reader } from './requests.ts';

/** Nothing here crashes, so PostgreSQL need not wait for the disk. */
const settings = { fsync: 'off' };

/** PostgreSQL and its children, which a test may stop and continue. */
async function ownPostgres() {
  await using building = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-frozen-'));
  building.defer(() => rm(dataDir, { recursive: true }));
  const { url, stop } = await startPostgres({ dataDir, settings });
  building.defer(stop);
  const db = connect({ url, poolSize: 1, prepared: false });
  await migrate(db);
  await db.destroy();
  const postmaster = Number((await readFile(join(dataDir, 'cluster/postmaster.pid'), 'utf8')).split('\n')[0]);
  // The postmaster first, so that it starts no child that would be overlooked.
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    process.kill(postmaster, name);
    for (const pid of await processAndChildren(postmaster)) {
      try {
        process.kill(pid, name);
      } catch {} // a child that has just ended
    }
  };
  building.defer(() => signal('SIGCONT'));
  const built = building.move();
  return {
    url,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    [Symbol.asyncDispose]: () => built.disposeAsync(),
  };
}

const timeout = 90_000;

test('every request returns 503 with Retry-After while PostgreSQL is frozen, and succeeds afterwards', {
  timeout,
}, async () => {
  await using postgres = await ownPostgres();
  await using service = await startService({ DATABASE_URL: postgres.url, DATABASE_TIMEOUT_MS: '1000' });
  const account = await newAccount(service);
  const { tracking_number } = await newShipment(account);
  await using load = startLoad(4, reader(service, account, tracking_number));
  await load.sees(200);
  await postgres.freeze();
  await load.settles(503);
  await postgres.thaw();
  await load.settles(200);
  expect(load.errors).toEqual([]);
  expect(new Set(load.statuses)).toEqual(new Set([200, 503]));
});

test('a connection whose query was lost is closed before the timeout', async () => {
  await using proxy = await startProxy(Number(new URL(inject('databaseUrl')).port));
  // Longer than the test may take.
  await using service = await startService({
    DATABASE_URL: proxy.through(inject('databaseUrl')),
    DATABASE_POOL_SIZE: '1',
    DATABASE_TIMEOUT_MS: '60000',
  });
  const account = await newAccount(service);
  const { tracking_number } = await newShipment(account);
  const read = reader(service, account, tracking_number);
  expect((await read()).status).toBe(200);
  await proxy.set({ kind: 'black hole' });
  const lost = read();
  await vi.waitFor(() => expect(proxy.lost).toBeGreaterThan(0), { timeout: 30_000, interval: 5 });
  await proxy.set({ kind: 'none' });
  expect((await lost).status).toBe(503);
  expect((await read()).status).toBe(200);
});

test('a session whose response arrives while its connection is checked is not terminated', async () => {
  const database = new URL(inject('databaseUrl'));
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
