import { type Database, openDatabase } from '@waybill/server/database/database';
import { processIdOf, terminateIdleSessions } from '@waybill/server/database/watch';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { concurrently } from '../../fixtures/concurrently.ts';
import { databaseUrl } from '../../fixtures/database-url.ts';
import { holdShipment } from '../../fixtures/locks.ts';
import { notWithCluster } from '../../fixtures/not-with-cluster.ts';
import { signatureUrl } from '../../fixtures/requests.ts';
import { startService } from '../../fixtures/service.ts';
import { newShipment, shipmentIn } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';

test('four concurrent workflows complete with DATABASE_POOL_SIZE 1', async () => {
  await using service = await startService({ DATABASE_POOL_SIZE: '1' });
  await concurrently(4, async () => {
    const { client } = await newAccount(service);
    const { id, tracking_number } = await shipmentIn({ client }, 'delivered');
    expect((await client.getShipment({ shipment_id: id })).status).toBe('delivered');
    const proof = await client.getProofOfDelivery({ tracking_number });
    expect((await fetch(signatureUrl(proof))).status).toBe(200);
  });
});

test('a statement that follows the end of a session uses another session', async () => {
  await using db = openDatabase({ url: databaseUrl(), poolSize: 1, prepared: false });
  for (let count = 0; count < 20; count++) {
    const end = sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
    await expect(end).rejects.toMatchObject({ code: '57P01' }); // admin_shutdown
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  }
});

test('a transaction whose connection is lost fails with the error of the connection, not of the rollback', async () => {
  await using db = openDatabase({ url: databaseUrl(), poolSize: 1, prepared: false, timeout: 1_000 });
  await vi.waitFor(() => sql`select 1`.execute(db), waitTimeout); // a busy machine may take longer to connect
  const lost = db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`select pg_sleep(10)`.execute(trx);
  });
  await expect(lost).rejects.toThrow('PostgreSQL did not respond in time.');
});

// Two connections are left to batches and jobs. An account uses three quarters of the others, and at least one.
test.for([
  [3, 1],
  [8, 4],
] as const)('with DATABASE_POOL_SIZE %i an account uses at most %i connections', async ([size, used]) => {
  notWithCluster('its instances have a pool each');
  await using service = await startService({ DATABASE_POOL_SIZE: String(size) });
  const account = await newAccount(service);
  const { id: shipment_id, tracking_number } = await newShipment(account);
  await using held = await holdShipment(service.db, account, tracking_number);
  const cancel = () => account.client.cancelShipment({ shipment_id, reason: 'Once.' });
  const cancelled = Promise.allSettled(Array.from({ length: 6 }, cancel));
  await held.waiting(used);
  await fetch(`${service.origin}/health/live`); // all requests have arrived
  await held.waiting(used);
  await held.release();
  const statuses = (await cancelled).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual(['fulfilled', ...Array(5).fill('rejected')]);
});

test('a statement waits for a connection until the timeout is over, and not longer', async () => {
  const open = (timeout: number) => openDatabase({ url: databaseUrl(), poolSize: 1, prepared: false, timeout });
  await using patient = open(60_000);
  await using impatient = open(1_000);
  const select = (db: Database) => sql`select 1 as one`.execute(db);
  await vi.waitFor(() => select(impatient), waitTimeout); // a busy machine may take longer to connect
  let waiting: ReturnType<typeof select> | undefined;
  await patient.connection().execute(async () => {
    waiting = select(patient); // first: a timeout that is the same for both would end it first
    await impatient.connection().execute(async () => {
      await expect(select(impatient)).rejects.toThrow('timeout exceeded');
    });
  });
  expect((await waiting)?.rows).toEqual([{ one: 1 }]);
});

test('terminateIdleSessions ends a session that has been idle for the time, and no active or other one', async () => {
  const url = databaseUrl();
  await using db = openDatabase({ url, poolSize: 1, prepared: false });
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client(url);
    client.on('error', () => {}); // it is terminated
    await client.connect();
    return client;
  };
  const [idle, active, other] = [await open(), await open(), await open()];
  await other.query('select pg_advisory_lock(78)');
  const waiting = active.query('select pg_advisory_lock(78)');
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const terminate = (ownId: number, minIdle: number) =>
    terminateIdleSessions(db, ownId, [idle, active].map(processIdOf), minIdle);
  const own = rows[0]?.pid ?? 0;
  expect(await terminate(own, 600_000)).toEqual([]);
  expect(await terminate(own + 1, 0)).toEqual([]); // as behind PgBouncer, which gives clients other ids
  expect(await terminate(own, 0)).toEqual([processIdOf(idle)]);
  await other.query('select pg_advisory_unlock(78)');
  await waiting;
  await active.end();
  await other.end();
});
