import { randomUUID } from 'node:crypto';
import { NoSlot } from '@waybill/server/concurrency/fair-queue';
import { openDatabase } from '@waybill/server/database/database';
import { ConnectionLost, Overloaded } from '@waybill/server/database/errors';
import { EndpointWorker } from '@waybill/server/webhooks/endpoint-worker';
import { secretBox } from '@waybill/server/webhooks/signing';
import { socketLimits } from '@waybill/server/webhooks/sockets';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ownMigratedDatabase } from '../fixtures/own-database.ts';
import { signingKey } from '../fixtures/service.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { insertEndpoint } from './endpoints.ts';
import { looked, startWorkers } from './workers.ts';

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
  const worker = new EndpointWorker(
    { accountId: 'a', endpointId: 'e', mayStartAttempt: () => true, version: 'v' },
    {
      db,
      log: { error() {}, warn() {}, info() {} },
      notify() {},
      secrets: secretBox([signingKey]),
      sender: { send: () => expect.unreachable(), close() {} },
      sockets: socketLimits(),
      statementSlots,
      stopTimeout: 1,
    },
  );
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
  const [accountId, endpointId] = [randomUUID(), randomUUID()];
  await insertEndpoint(db, accountId, endpointId);
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
