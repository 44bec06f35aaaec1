import { randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '@waybill/server/database/database';
import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import type { DeliveryResult } from '@waybill/server/webhooks/attempt-result';
import { queueTestEvent } from '@waybill/server/webhooks/delivery-operations';
import { selectScheduled } from '@waybill/server/webhooks/delivery-queue';
import { queueEvents } from '@waybill/server/webhooks/queue-events';
import { failingSince, recordAttempts } from '@waybill/server/webhooks/record-attempts';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { holdEndpoint } from '../fixtures/locks.ts';
import { notWithCitus } from '../fixtures/needs-citus.ts';
import { ownMigratedDatabase } from '../fixtures/own-database.ts';
import { closedUrl, disabledEndpoint } from '../fixtures/requests.ts';
import { test } from '../fixtures/test.ts';
import { firstAttempt, insertEndpoint } from './endpoints.ts';

const [accountId, endpointId, shipmentId] = [randomUUID(), randomUUID(), randomUUID()];
const endpoint = { accountId, endpointId };
const count = 3000;

/** Index entries and rows of deliveries that the database has read so far. */
async function rowsRead(db: Database): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ read: number }>`
    select (pg_stat_get_tuples_returned(c.oid)
      + (select sum(pg_stat_get_tuples_returned(i.indexrelid)) from pg_index i where i.indrelid = c.oid))::integer as read
    from pg_class c where c.relname = 'webhook_deliveries'`.execute(db);
  return rows[0]?.read ?? expect.unreachable();
}

/** What a worker or a request does, and the most rows that it reads. */
const steps: Record<string, { most: number; run(db: Database): Promise<unknown> }> = {
  'the selection of what is due next': {
    most: 20,
    run: (db) => selectScheduled(db, endpoint, [randomUUID()], 17),
  },
  'the recording of an attempt': {
    most: 20,
    run: async (db) => {
      const { scheduled } = await selectScheduled(db, endpoint, [], 1);
      const [due = expect.unreachable()] = scheduled;
      await recordAttempts(db, endpoint, [firstAttempt(due.id, due.order_key)]);
      const { rows } = await sql`select status from webhook_deliveries
        where account_id = ${accountId} and endpoint_id = ${endpointId} and id = ${due.id}`.execute(db);
      expect(rows).toEqual([{ status: 'delivered' }]);
    },
  },
  'the queueing of 10 events': {
    most: 20,
    run: async (db) => {
      await sql`insert into events (account_id, number, created_at, type, shipment_id, data)
        select ${accountId}, nextval('event_numbers'), now(), 'shipment.created',
          (select order_key from webhook_deliveries limit 1), '{}' from generate_series(1, 10)`.execute(db);
      const first = await queueEvents(db, endpoint, 200);
      expect(first?.count).toBe(10);
    },
  },
  'a test event, when requests have queued others that are finished': {
    most: 20,
    run: (db) => db.transaction().execute((trx) => queueTestEvent(trx, endpoint, new Date())),
  },
};

test('the number of rows that each statement reads does not grow with the queue', async () => {
  notWithCitus('the workers have the rows');
  await using database = await ownMigratedDatabase();
  const { db } = database;
  // Its plans stay as they are made below, while the table has few rows.
  await using worker = openDatabase({ url: database.url, poolSize: 1, prepared: true, timeout: 60_000 });
  await sql`alter table webhook_deliveries set (autovacuum_enabled = off)`.execute(db);
  await insertEndpoint(db, endpoint);
  const insert = (from: number, to: number) =>
    sql`
    insert into webhook_deliveries (account_id, endpoint_id, id, event_number, event_created_at, type, order_key,
      status, attempts, next_attempt_at)
    select ${accountId}, ${endpointId}, gen_random_uuid(), i, now(), 'shipment.created',
      -- A third has a shipment of its own, a third waits for one delivery, and a third is finished.
      case when i % 3 = 0 then gen_random_uuid() else ${accountId} end,
      case when i % 3 = 2 then 'delivered' else 'pending' end, 0, case when i % 3 = 0 then now() end
    from generate_series(${sql.lit(from)}, ${sql.lit(to)}) i`.execute(db);
  await insert(1, 30);
  for (const { run } of Object.values(steps)) await run(worker);
  await insert(31, 3 * count);
  await sql`update webhook_deliveries set is_manual = true where status = 'delivered'`.execute(db);
  for (const [name, { run, most }] of Object.entries(steps)) {
    const before = await rowsRead(worker);
    await run(worker);
    expect.soft((await rowsRead(worker)) - before, name).toBeLessThanOrEqual(most);
  }
});

/** A database with an endpoint, a due delivery of a shipment and a further event of it. No service runs. */
async function storedDelivery() {
  await using created = new AsyncDisposableStack();
  const { url } = created.use(await ownMigratedDatabase());
  const db = created.use(openDatabase({ url, poolSize: 3, prepared: false }));
  await insertEndpoint(db, endpoint);
  const id = randomUUID();
  await insertDelivery(id, 1, new Date()).execute(db);
  await sql`insert into events (account_id, number, created_at, type, shipment_id, data)
    values (${accountId}, 2, now(), 'shipment.cancelled', ${shipmentId}, '{}')`.execute(db);
  const all = created.move();
  return { db, id, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

const insertDelivery = (id: string, position: number, nextAttempt: Date | null) => sql`
  insert into webhook_deliveries (account_id, endpoint_id, id, event_number, event_created_at, type, order_key,
    status, attempts, next_attempt_at)
  values (${accountId}, ${endpointId}, ${id}, ${position}, now(), 'shipment.created', ${shipmentId},
    'pending', 0, ${nextAttempt})`;

const isDue = async (db: Database, position: number) => {
  const { rows } = await sql<{ isDue: boolean }>`select next_attempt_at is not null as "isDue"
    from webhook_deliveries where event_number = ${position}`.execute(db);
  return rows[0]?.isDue;
};

test('the recording of an attempt waits for a transaction that queues an event, which is then due', async () => {
  await using stored = await storedDelivery();
  const { db, id } = stored;
  await using queueing = await holdEndpoint(db, endpointId, { also: insertDelivery(randomUUID(), 2, null) });
  const recorded = recordAttempts(db, endpoint, [firstAttempt(id, shipmentId)]);
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
  const queued = queueEvents(db, endpoint, 10);
  await recording.waiting(1);
  await recording.release();
  expect(await queued).toMatchObject({ count: 1 });
  expect(await isDue(db, 2)).toBe(true);
});

test('the queueing of events waits for a change of the endpoint, and a disabled one gets none', async () => {
  await using stored = await storedDelivery();
  const { db } = stored;
  await using change = await holdEndpoint(db, endpointId, { status: 'disabled' });
  const queued = queueEvents(db, endpoint, 10);
  await change.waiting(1);
  await change.release();
  expect(await queued).toBeUndefined();
  expect(await isDue(db, 2)).toBeUndefined();
});

test('a replay sends no event before the earlier ones that are not sent yet', async () => {
  await using stored = await storedDelivery();
  const { db } = stored;
  await sql`insert into events (account_id, number, created_at, type, shipment_id, data)
    values (${accountId}, 3, now() + interval '1 minute', 'shipment.cancelled', ${shipmentId}, '{}')`.execute(db);
  await sql`update webhook_endpoints set event_number = 1, replay_event_number = 0,
    replay_from = now() + interval '30 seconds', replay_to = now() + interval '1 hour'`.execute(db);
  for (let isComplete = false; !isComplete; ) isComplete = (await queueEvents(db, endpoint, 10))?.isComplete ?? true;
  const { rows } = await sql`select event_number from webhook_deliveries where event_number > 1 order by id`.execute(
    db,
  );
  expect(rows).toEqual([{ event_number: 2 }, { event_number: 3 }]);
});

test('a late failure of a URL that the endpoint no longer has does not disable it', async () => {
  await using stored = await storedDelivery();
  const { db, id } = stored;
  const gone: DeliveryResult = {
    ...firstAttempt(id, shipmentId),
    status: 'pending',
    next_attempt_at: now,
    response_status: 410,
  };
  const state = async () => (await sql`select status, failing_since from webhook_endpoints`.execute(db)).rows;
  expect(await recordAttempts(db, endpoint, [gone])).toMatchObject({ disabled: undefined });
  expect(await state()).toEqual([{ status: 'enabled', failing_since: null }]);
  const current = { ...gone, attempts: 2, attempt_url: 'https://shop.example.com/' };
  expect(await recordAttempts(db, endpoint, [current])).toMatchObject({ disabled: 'gone' });
  expect(await state()).toEqual([{ status: 'disabled', failing_since: current.attempted_at }]);
});

test('a delivery that ended at a URL that the endpoint no longer has is sent to the new one', async () => {
  await using stored = await storedDelivery();
  const { db, id } = stored;
  const gone: DeliveryResult = { ...firstAttempt(id, shipmentId), status: 'failed', response_status: 410 };
  await recordAttempts(db, endpoint, [gone]);
  const { scheduled } = await selectScheduled(db, endpoint, [], 10);
  expect(scheduled).toMatchObject([{ id, attempts: 1, status: 'pending', url: 'https://shop.example.com/' }]);
});

test('an expired event does not disable an endpoint that failed long ago', async () => {
  await using stored = await storedDelivery();
  const { db, id } = stored;
  await sql`update webhook_endpoints set failing_since = '2020-01-01Z'`.execute(db);
  const attempt = { ...firstAttempt(id, shipmentId), status: 'failed', response_status: 500 } as const;
  const expired: DeliveryResult = { ...attempt, attempted_at: null, attempt_url: null };
  expect(await recordAttempts(db, endpoint, [expired])).toMatchObject({ disabled: undefined });
  const failed = { ...attempt, attempts: 2, attempt_url: 'https://shop.example.com/' };
  expect(await recordAttempts(db, endpoint, [failed])).toMatchObject({ disabled: 'failing' });
});

test('a worker learns from the recording of its attempts whether the receiver fails', async () => {
  await using stored = await storedDelivery();
  const { db, id } = stored;
  const attempt_url = 'https://shop.example.com/';
  const failed: DeliveryResult = {
    ...firstAttempt(id, shipmentId),
    attempt_url,
    status: 'pending',
    next_attempt_at: now,
  };
  expect(await recordAttempts(db, endpoint, [failed])).toMatchObject({ isReceiverFailing: true });
  const succeeded = { ...firstAttempt(id, shipmentId), attempt_url, attempts: 2 };
  expect(await recordAttempts(db, endpoint, [succeeded])).toMatchObject({ isReceiverFailing: false });
});

const before = new Date(0);
const now = new Date();
const ended = (succeeded: boolean[]) =>
  succeeded.map((each) => ({ status: each ? 'delivered' : 'pending', attempted_at: now }) as DeliveryResult);

test.for<[Date | null, boolean[], 'before' | 'now' | null]>([
  [null, [true], null],
  [null, [false], 'now'],
  [before, [false, false], 'before'],
  [before, [false, true], null],
  [before, [true, false], 'now'],
])('after %s, results %j', ([since, succeeded, expected]) => {
  expect(failingSince(since, ended(succeeded))).toBe({ before, now, null: null }[String(expected)]);
});

test('an event that has expired without an attempt changes nothing', () => {
  const expired = { status: 'failed', attempted_at: null } as DeliveryResult;
  expect(failingSince(null, [expired])).toBe(null);
  expect(failingSince(before, [expired])).toBe(before);
});

test('a late result is ignored when another instance has recorded a later attempt', async ({
  service: { db },
  account,
}) => {
  const path = await disabledEndpoint(account);
  const queued = await account.client.sendTestWebhook(path);
  const endpoint = { accountId: account.id, endpointId: uuidFromPublicId('whe', path.webhook_endpoint_id) };
  const id = uuidFromPublicId('whd', queued.id);
  const succeed = (attempts: number) => recordAttempts(db, endpoint, [{ ...firstAttempt(id, id), attempts }]);
  const fail = (attempts: number) =>
    recordAttempts(db, endpoint, [
      { ...firstAttempt(id, id), attempts, status: 'pending', next_attempt_at: now, response_status: 500 },
    ]);
  const stored = async () => {
    const { data } = await account.client.listWebhookDeliveries(path);
    return data.map(({ status, attempts }) => [status, attempts]);
  };
  expect(await fail(1)).toMatchObject({ finished: 0 });
  expect(await succeed(1)).toMatchObject({ finished: 0 });
  expect(await stored()).toEqual([['pending', 1]]);
  expect(await succeed(2)).toMatchObject({ finished: 1 });
  expect(await fail(2)).toMatchObject({ finished: 0 });
  expect(await stored()).toEqual([['delivered', 2]]);
});

test('no delivery of a disabled endpoint is selected', async ({ service: { db }, account }) => {
  const path = await disabledEndpoint(account);
  await account.client.sendTestWebhook(path);
  const endpointId = uuidFromPublicId('whe', path.webhook_endpoint_id);
  const selected = async () => (await selectScheduled(db, { accountId: account.id, endpointId }, [], 10)).scheduled;
  expect(await selected()).toEqual([]);
  await db.updateTable('webhook_endpoints').set({ status: 'enabled' }).where('account_id', '=', account.id).execute();
  expect(await selected()).toHaveLength(1);
});

test('a new URL of an endpoint has not failed yet', async ({ service: { db }, account }) => {
  const path = await disabledEndpoint(account);
  await sql`update webhook_endpoints set failing_since = now() where account_id = ${account.id}`.execute(db);
  const isFailing = async () => {
    const { rows } =
      await sql`select from webhook_endpoints where account_id = ${account.id} and failing_since is not null`.execute(
        db,
      );
    return rows.length === 1;
  };
  await account.client.updateWebhookEndpoint({ ...path, url: closedUrl });
  expect(await isFailing()).toBe(true);
  await account.client.updateWebhookEndpoint({ ...path, url: `${closedUrl}/new` });
  expect(await isFailing()).toBe(false);
});
