import { openDatabase } from '@waybill/server/database/database';
import { startProxy } from '@waybill/tools/lab/network/proxy';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { operationOf } from '../../fixtures/contract/contract.ts';
import { databaseUrl } from '../../fixtures/database/database-url.ts';
import { holdLock } from '../../fixtures/database/locks.ts';
import { ownMigratedDatabase } from '../../fixtures/database/own-database.ts';
import { send } from '../../fixtures/requests/send.ts';
import { notWithCluster } from '../../fixtures/service/not-with-cluster.ts';
import { type Settings, startService } from '../../fixtures/service/service.ts';
import { newShipment } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';

const startDatabaseProxy = () => startProxy(Number(new URL(databaseUrl()).port));

/** A service with a database of its own: while it cannot reach it, it would keep the webhook endpoints of other tests. */
async function startBehindProxy(settings: Settings) {
  await using created = new AsyncDisposableStack();
  const proxy = created.use(await startDatabaseProxy());
  const { url } = created.use(await ownMigratedDatabase());
  const all = { IDEMPOTENCY_WAIT_MS: '100', ...settings, DATABASE_URL: proxy.through(url) };
  const service = created.use(await startService(all));
  const account = await newAccount(service);
  const resources = created.move();
  return { ...service, account, proxy, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

test.concurrent.for([
  ['2000', 500, 503],
  ['60000', 600, 200],
] as const)(
  'with DATABASE_TIMEOUT_MS %s, a write whose four statements take %i ms in each direction returns %i',
  async ([DATABASE_TIMEOUT_MS, ms, status]) => {
    await using service = await startBehindProxy({ DATABASE_TIMEOUT_MS });
    const { account, proxy } = service;
    const { id: shipment_id, tracking_number } = await newShipment(account);
    const request = { key: account.key, path: { shipment_id }, headers: { 'idempotency-key': 'one' } };
    const body = { reason: 'The order was withdrawn.' };
    const cancel = async () =>
      (await send(service.baseUrl, operationOf('cancelShipment'), { ...request, body })).status;
    // Each statement responds in time, all of them together only with the longer timeout.
    await proxy.set({ kind: 'delay', ms });
    expect(await cancel()).toBe(status);
    expect([200, 409, 503]).toContain(await cancel()); // the first request goes on
    await proxy.set({ kind: 'none' });
    await vi.waitFor(async () => expect(await cancel()).toBe(200), waitTimeout);
    const { timeline } = await account.client.getTracking({ tracking_number });
    expect(timeline.map((event) => event.status)).toEqual(['scheduled', 'cancelled']);
  },
);

// operate/outages/postgres proves that the service goes on without such a connection.
test.concurrent('a connection is closed before the timeout whose last response was lost after earlier ones had arrived', async () => {
  notWithCluster('PgBouncer has the connection');
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
