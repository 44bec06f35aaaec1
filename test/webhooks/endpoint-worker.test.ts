import { randomUUID } from 'node:crypto';
import { accountActivity, NoSlot } from '@waybill/server/concurrency/fair-queue';
import { type Database, openDatabase } from '@waybill/server/database/database';
import { ConnectionLost, Overloaded } from '@waybill/server/database/errors';
import { secretBox } from '@waybill/server/database/secret-box';
import type { EndpointRef } from '@waybill/server/webhooks/endpoint-list';
import { EndpointWorker } from '@waybill/server/webhooks/endpoint-worker';
import { socketLimits } from '@waybill/server/webhooks/socket-limits';
import { type StatementSlots, statementSlots } from '@waybill/server/webhooks/statement-slots';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ownMigratedDatabase } from '../fixtures/own-database.ts';
import { signingKey } from '../fixtures/service.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { insertEndpoint } from './endpoints.ts';
import { looked, startWorkers, success } from './workers.ts';

/** A worker whose attempts succeed. */
const workerOf = (
  db: Database,
  endpoint: EndpointRef,
  statementSlots: StatementSlots,
  version: string = randomUUID(),
): EndpointWorker =>
  new EndpointWorker(
    { ...endpoint, mayStartAttempt: () => true, version },
    {
      db,
      log: { error() {}, warn() {}, info() {} },
      notify() {},
      secrets,
      sender: { send: async () => success, close() {} },
      sockets: socketLimits(),
      statementSlots,
      stopTimeout: 1,
    },
  );

const secrets = secretBox([signingKey]);
const postgresError = (code: string) => Object.assign(new pg.DatabaseError('', 0, 'error'), { code });

test.concurrent.for<[string, 'healthy' | 'unresponsiveDatabase', Error]>([
  ['had no slot in time', 'healthy', new NoSlot('timeout')],
  ['had no connection in time', 'healthy', new Overloaded('')],
  ['was rejected', 'healthy', postgresError('40P01')],
  ['was canceled', 'unresponsiveDatabase', postgresError('57014')],
  ['got no response', 'unresponsiveDatabase', new ConnectionLost()],
])('after a statement that %s, the next ones have the slots: %s', async ([, next, error]) => {
  await using db = openDatabase({ url: 'postgres://127.0.0.1:1/none', poolSize: 1, prepared: false });
  const slots = () => ({ enter: vi.fn(), run: vi.fn().mockRejectedValue(error), waiting: () => 0 });
  const statementSlots = { healthy: slots(), failingReceivers: slots(), unresponsiveDatabase: slots() };
  const worker = workerOf(db, { accountId: 'a', endpointId: 'e' }, statementSlots);
  worker.wake();
  const { healthy, unresponsiveDatabase } = statementSlots;
  const counts = () => [healthy, unresponsiveDatabase].map(({ run }) => run.mock.calls.length) as [number, number];
  await vi.waitFor(() => expect(counts()[0] + counts()[1]).toBe(2), waitTimeout); // after a pause of a second
  await worker.stop();
  expect([counts()[0] > 1, counts()[1] > 0]).toEqual([next === 'healthy', next === 'unresponsiveDatabase']);
});

test('an instance whose leases have ended sends nothing until it has taken them again', async () => {
  await using database = await ownMigratedDatabase();
  const { db } = database;
  const accountId = randomUUID();
  await insertEndpoint(db, { accountId, endpointId: randomUUID() });
  await using _workers = startWorkers(database.url, () => expect.unreachable());
  const countRows = async (table: string) => (await sql`select from ${sql.table(table)}`.execute(db)).rows.length;
  await vi.waitFor(async () => expect(await countRows('webhook_leases')).toBe(1), waitTimeout);
  // Another instance has taken it, while this one was paused.
  await sql`update webhook_leases set instance_id = gen_random_uuid(), expires_at = 'tomorrow'`.execute(db);
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 30_000);
  onTestFinished(() => clock.mockRestore());
  await looked(db, 2);
  await sql`insert into events (account_id, number, created_at, type, shipment_id, data)
    values (${accountId}, nextval('event_numbers'), now(), 'shipment.cancelled', ${randomUUID()}, '{}')`.execute(db);
  await looked(db, 3);
  expect(await countRows('webhook_deliveries')).toBe(0);
  await sql`delete from webhook_leases`.execute(db);
  await vi.waitFor(async () => expect(await countRows('webhook_deliveries')).toBe(1), waitTimeout);
});

test('an event up to the position of the endpoint starts no round of its worker, and a later one does', async () => {
  await using database = await ownMigratedDatabase();
  const { db } = database;
  const endpoint = { accountId: randomUUID(), endpointId: randomUUID() };
  await insertEndpoint(db, endpoint);
  await db.updateTable('webhook_endpoints').set({ secret: secrets.create() }).execute();
  await sql`insert into events (account_id, number, created_at, type, shipment_id, data)
    values (${endpoint.accountId}, 2, now(), 'shipment.cancelled', ${randomUUID()}, '{}')`.execute(db);
  const worker = workerOf(db, endpoint, statementSlots(accountActivity()));
  const untilIdle = () => vi.waitFor(() => expect(worker.isIdle()).toBe(true), waitTimeout);
  worker.wake();
  await untilIdle();
  worker.wakeForEvent(2);
  expect(worker.isIdle()).toBe(true);
  for (const wake of [() => worker.wakeForEvent(3), () => worker.wake()]) {
    wake();
    expect(worker.isIdle()).toBe(false);
    await untilIdle();
  }
  expect((await sql`select from webhook_deliveries`.execute(db)).rows).toHaveLength(1);
});

test('a worker removes a disabled endpoint from the list, also one with 10,000 pending deliveries', async () => {
  await using database = await ownMigratedDatabase();
  const { db } = database;
  const [endpoint, version] = [{ accountId: randomUUID(), endpointId: randomUUID() }, randomUUID()];
  const { accountId, endpointId } = endpoint;
  await insertEndpoint(db, endpoint);
  await sql`insert into enabled_webhook_endpoints (account_id, endpoint_id, version)
    values (${accountId}, ${endpointId}, ${version})`.execute(db);
  await sql`insert into webhook_deliveries (account_id, endpoint_id, id, event_number, event_created_at, type, order_key,
      status, attempts)
    select ${accountId}, ${endpointId}, gen_random_uuid(), i, now(), 'shipment.created', ${accountId}, 'pending', 0
    from generate_series(1, 10000) i`.execute(db);
  const slots = statementSlots(accountActivity());
  const run = vi.spyOn(slots.healthy, 'run');
  const listed = async () => (await sql`select from enabled_webhook_endpoints`.execute(db)).rows.length;
  const enabled = workerOf(db, endpoint, slots, version);
  enabled.wake();
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2), waitTimeout); // it counts them, and queues nothing
  expect(enabled.isIdle()).toBe(false);
  await enabled.stop();
  expect(await listed()).toBe(1);
  await sql`update webhook_endpoints set status = 'disabled', disabled_reason = 'requested'`.execute(db);
  const disabled = workerOf(db, endpoint, slots, version);
  disabled.wake();
  await vi.waitFor(() => expect(disabled.isIdle()).toBe(true), waitTimeout);
  expect(await listed()).toBe(0);
});
