import { randomUUID } from 'node:crypto';
import { accountActivity, NoSlot } from '@waybill/server/concurrency/fair-queue';
import { type Database, openDatabase } from '@waybill/server/database/database';
import { ConnectionLost, Overloaded } from '@waybill/server/database/errors';
import { secretBox } from '@waybill/server/database/secret-box';
import { type Assignment, EndpointWorker } from '@waybill/server/webhooks/endpoint-worker';
import { socketLimits } from '@waybill/server/webhooks/socket-limits';
import { type StatementSlots, statementSlots } from '@waybill/server/webhooks/statement-slots';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ownMigratedDatabase } from '../fixtures/own-database.ts';
import { signingKey } from '../fixtures/service.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { insertDeliveries, insertEndpoint } from './endpoints.ts';
import { countRows, looked, startWorkers, success } from './workers.ts';

/** A worker of an endpoint without deliveries that are due. */
const workerOf = (db: Database, endpoint: Omit<Assignment, 'mayStartAttempt'>, slots: StatementSlots) =>
  new EndpointWorker(
    { ...endpoint, mayStartAttempt: () => true },
    {
      ...{ db, log: { error() {}, warn() {}, info() {} }, notify() {}, secrets: secretBox([signingKey]) },
      ...{ sender: { send: () => expect.unreachable(), close() {} }, sockets: socketLimits(), statementSlots: slots },
    },
  );

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
  const all = { healthy: slots(), failingReceivers: slots(), unresponsiveDatabase: slots() };
  const worker = workerOf(db, { accountId: 'a', endpointId: 'e', version: 'v' }, all);
  worker.wake();
  const calls = () => [all.healthy.run.mock.calls.length, all.unresponsiveDatabase.run.mock.calls.length];
  const expected = next === 'healthy' ? [2, 0] : [1, 1];
  await vi.waitFor(() => expect(calls()).toEqual(expected), waitTimeout); // after a pause of a second
  await worker.stop();
});

test('an instance whose leases have ended sends nothing until it has taken them again', async () => {
  await using database = await ownMigratedDatabase();
  const { db } = database;
  const { accountId } = await insertEndpoint(db);
  await using _workers = startWorkers(database.url, async () => success);
  await vi.waitFor(async () => expect(await countRows(db, 'webhook_leases')).toBe(1), waitTimeout);
  // Another instance has taken it, while this one was paused.
  await sql`update webhook_leases set instance_id = gen_random_uuid(), expires_at = 'tomorrow'`.execute(db);
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 30_000);
  onTestFinished(() => clock.mockRestore());
  await looked(db, 2);
  await sql`insert into events (account_id, number, created_at, type, shipment_id, data)
    values (${accountId}, 2, now(), 'shipment.cancelled', ${randomUUID()}, '{}')`.execute(db);
  await looked(db, 3);
  expect(await countRows(db, 'webhook_deliveries')).toBe(0);
  await sql`delete from webhook_leases`.execute(db);
  await vi.waitFor(async () => expect(await countRows(db, 'webhook_deliveries')).toBe(1), waitTimeout);
});

test('a worker removes a disabled endpoint from the list, also one with 10,000 pending deliveries', async () => {
  await using database = await ownMigratedDatabase();
  const { db } = database;
  const endpoint = await insertEndpoint(db);
  await insertDeliveries(endpoint, [1, 10_000], { next_attempt_at: sql`null` }).execute(db);
  const slots = statementSlots(accountActivity());
  const run = vi.spyOn(slots.healthy, 'run');
  const enabled = workerOf(db, endpoint, slots);
  enabled.wake();
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2), waitTimeout); // it counts them, and queues nothing
  expect(enabled.isIdle()).toBe(false);
  await enabled.stop();
  expect(await countRows(db, 'enabled_webhook_endpoints')).toBe(1);
  await sql`update webhook_endpoints set status = 'disabled', disabled_reason = 'requested'`.execute(db);
  const disabled = workerOf(db, endpoint, slots);
  disabled.wake();
  await vi.waitFor(() => expect(disabled.isIdle()).toBe(true), waitTimeout);
  expect(await countRows(db, 'enabled_webhook_endpoints')).toBe(0);
});
