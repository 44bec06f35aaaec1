import { openDatabase } from '@waybill/server/database/database';
import { startProxy } from '@waybill/tools/network';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { concurrently } from '../../fixtures/concurrently.ts';
import { operationOf } from '../../fixtures/contract.ts';
import { databaseUrl } from '../../fixtures/database-url.ts';
import { get, send } from '../../fixtures/http.ts';
import { holdLock } from '../../fixtures/locks.ts';
import { ownMigratedDatabase } from '../../fixtures/own-database.ts';
import { type Settings, startService } from '../../fixtures/service.ts';
import { newShipment } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';

const startDatabaseProxy = () => startProxy(Number(new URL(databaseUrl()).port));

/** A service with a database of its own: while it cannot reach it, it would keep the webhook endpoints of other tests. */
async function startBehind(proxy: Awaited<ReturnType<typeof startProxy>>, settings: Settings) {
  await using created = new AsyncDisposableStack();
  const { url } = created.use(await ownMigratedDatabase());
  const service = created.use(await startService({ ...settings, DATABASE_URL: proxy.through(url) }));
  const all = created.move();
  return { ...service, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

test.concurrent.for([
  ['2000', 500, 503],
  ['60000', 600, 200],
] as const)(
  'with DATABASE_TIMEOUT_MS %s, a write whose four statements take %i ms in each direction returns %i',
  async ([DATABASE_TIMEOUT_MS, ms, status]) => {
    await using proxy = await startDatabaseProxy();
    await using service = await startBehind(proxy, { DATABASE_TIMEOUT_MS, IDEMPOTENCY_WAIT_MS: '100' });
    const account = await newAccount(service);
    const { id: shipment_id, tracking_number } = await newShipment(account);
    const cancel = () =>
      send(service.baseUrl, operationOf('cancelShipment'), {
        key: account.key,
        path: { shipment_id },
        headers: { 'idempotency-key': 'one' },
        body: { reason: 'The order was withdrawn.' },
      });
    // Each statement responds in time, all of them together only with the longer timeout.
    await proxy.set({ kind: 'delay', ms });
    expect((await cancel()).status).toBe(status);
    expect([200, 409, 503]).toContain((await cancel()).status); // the first request goes on
    await proxy.set({ kind: 'none' });
    await vi.waitFor(async () => expect((await cancel()).status).toBe(200), waitTimeout);
    const { timeline } = await account.client.getTracking({ tracking_number });
    expect(timeline.map((event) => event.status)).toEqual(['scheduled', 'cancelled']);
  },
);

/** One response of PostgreSQL takes 1.6 seconds and is in time; two after each other are not. */
const slowNetwork = { kind: 'delay', ms: 800 } as const;
const slowSettings = { DATABASE_TIMEOUT_MS: '2000', DATABASE_POOL_SIZE: '10', IDEMPOTENCY_WAIT_MS: '100' };

test.concurrent('the time that a request may take includes the look-up of its key', async () => {
  await using proxy = await startDatabaseProxy();
  await using service = await startBehind(proxy, slowSettings);
  const account = await newAccount(service);
  const newKey = await account.keyWith(['shipments:read']);
  await concurrently(10, () => account.client.listShipments()); // opens the connections
  await proxy.set(slowNetwork);
  expect((await get(service, { key: newKey }, '/shipments')).status).toBe(503);
});

test.concurrent('the time that a write may take includes the search for its stored response', async () => {
  await using proxy = await startDatabaseProxy();
  await using service = await startBehind(proxy, slowSettings);
  const account = await newAccount(service);
  const create = () =>
    send(service.baseUrl, operationOf('createShipment'), { key: account.key, headers: { 'idempotency-key': 'one' } });
  expect((await create()).status).toBe(201);
  await proxy.set(slowNetwork);
  expect((await create()).status).toBe(503);
});

// operate/outages/postgres proves that the service goes on without such a connection.
test.concurrent('a connection is closed before the timeout whose last response was lost after earlier ones had arrived', async () => {
  const url = databaseUrl();
  await using proxy = await startDatabaseProxy();
  const timeout = 600_000; // longer than the test may take
  await using db = openDatabase({ url: proxy.through(url), poolSize: 1, prepared: false, timeout });
  await using other = openDatabase({ url, poolSize: 2, prepared: false });
  await using held = await holdLock(other, 78);
  // `begin` is sent with the first statement, and PostgreSQL responds to it at once.
  const transaction = db.transaction().execute((trx) => sql`select pg_advisory_xact_lock(78)`.execute(trx));
  const result = expect(transaction).rejects.toThrow();
  await held.waiting(1);
  await proxy.set({ kind: 'black hole' });
  await held.release();
  await vi.waitFor(() => expect(proxy.lost).toBeGreaterThan(0), waitTimeout);
  await proxy.set({ kind: 'none' });
  await result;
});
