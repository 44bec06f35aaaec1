import { randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '@waybill/server/database/database';
import { queueEvents } from '@waybill/server/webhooks/queue';
import { recordAttempts } from '@waybill/server/webhooks/record';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { holdEndpoint } from '../fixtures/locks.ts';
import { ownMigratedDatabase } from '../fixtures/own-database.ts';
import { firstAttempt, insertEndpoint } from './endpoints.ts';

const [accountId, endpointId, shipmentId] = [randomUUID(), randomUUID(), randomUUID()];
const endpoint = [accountId, endpointId] as const;

/** A database with an endpoint, a due delivery of a shipment and a further event of it. No service runs. */
async function storedDelivery() {
  await using created = new AsyncDisposableStack();
  const { url } = created.use(await ownMigratedDatabase());
  const db = created.use(openDatabase({ url, poolSize: 3, prepared: false }));
  await insertEndpoint(db, ...endpoint);
  const id = randomUUID();
  await insertDelivery(id, 1, new Date()).execute(db);
  await sql`insert into events (account_id, position, created_at, type, shipment_id, data)
    values (${accountId}, 2, now(), 'shipment.cancelled', ${shipmentId}, '{}')`.execute(db);
  const all = created.move();
  return { db, id, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

const insertDelivery = (id: string, position: number, nextAttempt: Date | null) => sql`
  insert into webhook_deliveries (account_id, endpoint_id, id, event_position, event_created_at, type, order_key,
    status, attempts, next_attempt_at)
  values (${accountId}, ${endpointId}, ${id}, ${position}, now(), 'shipment.created', ${shipmentId},
    'pending', 0, ${nextAttempt})`;

const isDue = async (db: Database, position: number) => {
  const { rows } = await sql<{ isDue: boolean }>`select next_attempt_at is not null as "isDue"
    from webhook_deliveries where event_position = ${position}`.execute(db);
  return rows[0]?.isDue;
};

test('the recording of an attempt waits for a transaction that queues an event, which is then due', async () => {
  await using stored = await storedDelivery();
  const { db, id } = stored;
  await using queueing = await holdEndpoint(db, endpointId, { also: insertDelivery(randomUUID(), 2, null) });
  const recorded = recordAttempts(db, ...endpoint, [firstAttempt(id, shipmentId)]);
  await queueing.waiting(1);
  await queueing.release();
  await recorded;
  expect(await isDue(db, 2)).toBe(true);
});

test('the queueing of an event waits for a transaction that ends the delivery before it, and it is due then', async () => {
  await using stored = await storedDelivery();
  const { db, id } = stored;
  const end = sql`update webhook_deliveries set status = 'delivered', next_attempt_at = null where id = ${id}`;
  await using recording = await holdEndpoint(db, endpointId, { also: end });
  const queued = queueEvents(db, ...endpoint, 10);
  await recording.waiting(1);
  await recording.release();
  expect(await queued).toMatchObject({ count: 1 });
  expect(await isDue(db, 2)).toBe(true);
});

test('the queueing of events waits for a change of the endpoint, and a disabled one gets none', async () => {
  await using stored = await storedDelivery();
  const { db } = stored;
  await using change = await holdEndpoint(db, endpointId, { status: 'disabled' });
  const queued = queueEvents(db, ...endpoint, 10);
  await change.waiting(1);
  await change.release();
  expect(await queued).toBeUndefined();
  expect(await isDue(db, 2)).toBeUndefined();
});
