import { randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '@waybill/server/database/database';
import type { DeliveryResult } from '@waybill/server/webhooks/attempts/attempt-result';
import { failingSince, recordAttempts } from '@waybill/server/webhooks/attempts/record-attempts';
import type { EndpointRef } from '@waybill/server/webhooks/endpoints/endpoint-list';
import { requestReplay, updateEndpoint } from '@waybill/server/webhooks/endpoints/endpoints';
import { queueTestEvent } from '@waybill/server/webhooks/queue/delivery-operations';
import { selectScheduled } from '@waybill/server/webhooks/queue/delivery-queue';
import { queueEvents } from '@waybill/server/webhooks/queue/queue-events';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { holdEndpoint } from '../fixtures/database/locks.ts';
import { notWithCitus } from '../fixtures/database/needs-citus.ts';
import { ownMigratedDatabase } from '../fixtures/database/own-database.ts';
import { closedUrl } from '../fixtures/requests/valid-requests.ts';
import { notWithCluster } from '../fixtures/service/not-with-cluster.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { insertDeliveries, insertEndpoint } from './endpoint-state.ts';
import { startWorkers, success } from './workers.ts';

const [id, shipmentId] = [randomUUID(), randomUUID()];
const now = new Date();

/** Index entries and rows of deliveries that the database has read so far. */
async function rowsRead(db: Database): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ read: number }>`
    select (pg_stat_get_tuples_returned(c.oid)
      + (select sum(pg_stat_get_tuples_returned(i.indexrelid)) from pg_index i where i.indrelid = c.oid))::integer as read
    from pg_class c where c.relname = 'webhook_deliveries'`.execute(db);
  return rows[0]?.read ?? expect.unreachable();
}

/** Stores events of a shipment. */
const insertEvents = ({ accountId }: EndpointRef, number: string, createdAt = 'now()', count = 1) => sql`
  insert into events (account_id, number, created_at, type, shipment_id, data)
  select ${accountId}, ${sql.raw(number)}, ${sql.raw(createdAt)}, 'shipment.cancelled', ${shipmentId}, '{}'
  from generate_series(1, ${sql.lit(count)})`;

/** What a worker or a request does, each by reading at most 20 rows. */
const steps: Record<string, (db: Database, endpoint: EndpointRef) => Promise<unknown>> = {
  'the selection of what is due next': (db, endpoint) => selectScheduled(db, endpoint, [randomUUID()], 17),
  async 'the recording of an attempt'(db, endpoint) {
    const [due = expect.unreachable()] = (await selectScheduled(db, endpoint, [], 1)).scheduled;
    expect(await recordAttempts(db, endpoint, [attempt({ id: due.id, order_key: due.order_key })])).toMatchObject({
      finished: 1,
    });
  },
  async 'the queueing of 10 events'(db, endpoint) {
    await insertEvents(endpoint, "nextval('event_numbers')", 'now()', 10).execute(db);
    expect(await queueEvents(db, endpoint, 200, 0)).toMatchObject({ count: 10 });
  },
  'a test event, when requests have queued others that are finished': (db, endpoint) =>
    db.transaction().execute((trx) => queueTestEvent(trx, endpoint)),
};

test('the number of rows that each statement reads does not grow with the queue', async () => {
  notWithCitus('the workers have the rows');
  notWithCluster('PgBouncer takes no settings of a session');
  await using database = await ownMigratedDatabase();
  const { db } = database;
  // Its plans stay as they are made below, while the table has few rows.
  await using worker = openDatabase({ url: database.url, poolSize: 1, prepared: true, timeout: 60_000 });
  await sql`alter table webhook_deliveries set (autovacuum_enabled = off)`.execute(db);
  const endpoint = await insertEndpoint(db);
  const insert = (range: [number, number]) =>
    insertDeliveries(endpoint, range, {
      // A third has a shipment of its own, a third waits for one delivery, and a third is finished.
      order_key: sql`case when i % 3 = 0 then gen_random_uuid() else ${shipmentId} end`,
      status: sql`case when i % 3 = 2 then 'delivered' else 'pending' end`,
      next_attempt_at: sql`case when i % 3 = 0 then now() end`,
    }).execute(db);
  await insert([1, 30]);
  for (const run of Object.values(steps)) await run(worker, endpoint);
  await insert([31, 9000]);
  await sql`update webhook_deliveries set is_manual = true where status = 'delivered'`.execute(db);
  for (const [name, run] of Object.entries(steps)) {
    const before = await rowsRead(worker);
    await run(worker, endpoint);
    expect.soft((await rowsRead(worker)) - before, name).toBeLessThanOrEqual(20);
  }
});

/** A database with an endpoint, a due delivery of a shipment and a further event of it. No service runs. */
async function storedDelivery() {
  await using created = new AsyncDisposableStack();
  const { url } = created.use(await ownMigratedDatabase());
  const db = created.use(openDatabase({ url, poolSize: 3, prepared: false }));
  const endpoint = await insertEndpoint(db);
  const order_key = sql`${shipmentId}`;
  await insertDeliveries(endpoint, [1, 1], { id: sql`${id}`, order_key }).execute(db);
  await insertEvents(endpoint, '2').execute(db);
  const waiting = (n: number) => insertDeliveries(endpoint, [n, n], { order_key, next_attempt_at: sql`null` });
  const queued = async () =>
    (
      await sql`select event_number as number, next_attempt_at is not null as due
      from webhook_deliveries where event_number > 1 order by event_number`.execute(db)
    ).rows;
  const all = created.move();
  return { db, url, endpoint, waiting, queued, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Deliveries after the first one, in the order of their events. */
const isNext = [{ number: 2, due: true }];

test('the recording of the last attempt waits for a transaction that queues an event, which is then due', async () => {
  await using stored = await storedDelivery();
  const { db, endpoint, waiting, queued } = stored;
  await using queueing = await holdEndpoint(db, endpoint.endpointId, { also: waiting(2) });
  const recorded = recordAttempts(db, endpoint, [failed('failed', {})]);
  await queueing.waiting(1);
  await queueing.release();
  await recorded;
  expect(await queued()).toEqual(isNext);
});

test('an attempt of a repeated delivery releases no event that waits for another retry', async () => {
  await using stored = await storedDelivery();
  const { db, endpoint, waiting, queued } = stored;
  await waiting(2).execute(db);
  await waiting(3).execute(db);
  await sql`update webhook_deliveries set next_attempt_at = 'tomorrow' where event_number = 2`.execute(db);
  await recordAttempts(db, endpoint, [attempt()]);
  expect(await queued()).toEqual([...isNext, { number: 3, due: false }]);
  const { scheduled } = await selectScheduled(db, endpoint, [], 10);
  expect(scheduled.map(({ next_attempt_at }) => next_attempt_at > now)).toEqual([true]);
});

test.for([
  [
    'a transaction that ends the delivery before it, and it is due then',
    { also: sql`update webhook_deliveries set status = 'delivered', next_attempt_at = null where id = ${id}` },
    isNext,
  ],
  ['a change of the endpoint, and a disabled one gets none', { status: 'disabled' }, []],
] as const)('the queueing of an event waits for %s', async ([, change, expected]) => {
  await using stored = await storedDelivery();
  const { db, endpoint, queued } = stored;
  await using changing = await holdEndpoint(db, endpoint.endpointId, change);
  const queueing = queueEvents(db, endpoint, 10, 0);
  await changing.waiting(1);
  await changing.release();
  expect((await queueing)?.count).toBe(expected[0] && 1);
  expect(await queued()).toEqual(expected);
});

test('new events are queued before a replay, which sends none of them again, however often it is requested', async () => {
  await using stored = await storedDelivery();
  const { db, endpoint } = stored;
  await insertEvents(endpoint, 'generate_series(3, 52)').execute(db);
  // The first one is as the release before has stored it.
  await sql`update webhook_endpoints set event_number = 50, replay_from = now() - interval '1 hour',
    replay_to = now() + interval '1 hour', replay_event_number = 1`.execute(db);
  const to = new Date(now.getTime() + 3_600_000);
  for (const [hours, count] of [
    [0, 5],
    [2, 10],
    [3, 49],
  ] as const) {
    if (hours > 0) await requestReplay(db, endpoint, new Date(now.getTime() - hours * 3_600_000), to);
    await queueEvents(db, endpoint, 200, hours === 3 ? 100 : 5);
    const { rows } = await sql<{ n: number }>`select event_number n from webhook_deliveries order by n`.execute(db);
    const replayed = Array.from({ length: count }, (_, index) => index + 2);
    expect(rows.map(({ n }) => n)).toEqual([1, ...replayed, 51, 52].filter((n, at, all) => all.indexOf(n) === at));
  }
});

test('an instance whose clock is a minute ahead or behind delays nothing', async () => {
  await using stored = await storedDelivery();
  const { db, endpoint } = stored;
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  await db.transaction().execute((trx) => queueTestEvent(trx, endpoint));
  await recordAttempts(db, endpoint, [attempt()]);
  await queueEvents(db, endpoint, 10, 0);
  const { scheduled, now: time } = await selectScheduled(db, endpoint, [], 10);
  expect(scheduled.map(({ next_attempt_at }) => next_attempt_at <= (time ?? now))).toEqual([true, true]);
  vi.setSystemTime(Date.now() - 120_000);
  const sent = vi.fn(async () => success);
  await using _workers = startWorkers(stored.url, sent);
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(2), waitTimeout);
});

const url = 'https://shop.example.com/';

/** The result of the first attempt of a delivery, which has succeeded. */
const attempt = (changes: Partial<DeliveryResult> = {}): DeliveryResult => ({
  ...{ id, order_key: shipmentId, attempts: 1, attempted_at: now, attempt_url: url, attempt_ms: 1 },
  ...{ response_status: 204, response_body: '', error: null },
  ...changes,
  ...{ status: 'delivered', next_attempt_at: null },
});
const failed = (status: 'pending' | 'failed', changes: Partial<DeliveryResult>): DeliveryResult => ({
  ...attempt({ response_status: 500, ...changes }),
  ...{ status, next_attempt_at: status === 'failed' ? null : now },
});

test('a result changes a delivery and its endpoint unless it is late, of another URL or of an expired event', async () => {
  await using stored = await storedDelivery();
  const { db, endpoint } = stored;
  const record = async (result: DeliveryResult) => {
    const recorded = await recordAttempts(db, endpoint, [result]);
    const { rows } = await sql`select d.status, attempts, e.status as endpoint from webhook_deliveries d
      join webhook_endpoints e on e.account_id = d.account_id and e.id = endpoint_id`.execute(db);
    return { ...recorded, ...(rows[0] as object) };
  };
  const enabled = { disabled: undefined, endpoint: 'enabled' };
  const due = async () => (await selectScheduled(db, endpoint, [], 10)).scheduled;
  const nothing = { ...enabled, finished: 0, isReceiverFailing: false };
  // At an earlier URL a receiver may be gone: the delivery is sent to the present one.
  const gone = { response_status: 410, attempt_url: closedUrl };
  expect(await record(failed('failed', gone))).toEqual({ ...nothing, status: 'pending', attempts: 1 });
  expect(await due()).toMatchObject([{ id, attempts: 1, url }]);
  const failing = { ...nothing, isReceiverFailing: true };
  expect(await record(failed('pending', { attempts: 2 }))).toEqual({ ...failing, status: 'pending', attempts: 2 });
  expect(await record(attempt({ attempts: 2 }))).toEqual({ ...failing, status: 'pending', attempts: 2 });
  const delivered = { ...nothing, status: 'delivered', attempts: 3 };
  expect(await record(attempt({ attempts: 3 }))).toEqual({ ...delivered, finished: 1 });
  expect(await record(failed('pending', { attempts: 3 }))).toEqual(delivered);

  const failingFor = (age: string) =>
    sql`update webhook_endpoints set failing_since = now() - ${age}::interval`.execute(db);
  await failingFor('6 days 23 hours');
  expect(await record(failed('pending', { attempts: 4 }))).toMatchObject({ ...failing, status: 'pending' });
  await failingFor('7 days 1 minute');
  await sql`update webhook_deliveries set test_data = null`.execute(db); // its event is not stored
  expect(await due()).toMatchObject([{ id, data: null }]);
  const expired = { attempts: 5, attempted_at: null, attempt_url: null };
  expect(await record(failed('failed', expired))).toMatchObject({ ...enabled, finished: 1 });
  expect(await record(failed('pending', { attempts: 6 }))).toMatchObject({ disabled: 'failing', endpoint: 'disabled' });
  expect(await due()).toEqual([]);
  const change = (changes: object) => updateEndpoint(db, endpoint, changes, now);
  const isFailing = async () => (await due()).map(({ failing_since }) => failing_since !== null);
  await change({ status: 'enabled' });
  expect(await isFailing()).toEqual([false]);
  await failingFor('1 day');
  await change({ url });
  expect(await isFailing()).toEqual([true]);
  await change({ url: closedUrl });
  expect(await isFailing()).toEqual([false]);
  const last = failed('failed', { attempts: 7, attempt_url: closedUrl, response_status: 410 });
  expect(await record(last)).toMatchObject({ disabled: 'gone', endpoint: 'disabled' });
});

const before = new Date(0);
test.for<[Date | null, ('delivered' | 'pending' | 'expired')[], Date | null]>([
  [null, ['delivered'], null],
  [null, ['pending'], now],
  [before, ['pending', 'pending'], before],
  [before, ['pending', 'delivered'], null],
  [before, ['delivered', 'pending'], now],
  [null, ['expired'], null],
  [before, ['expired'], before],
])('failing_since is %s, then after %j %s', ([since, statuses, expected]) => {
  const results = statuses.map((status) =>
    status === 'expired' ? failed('failed', { attempted_at: null }) : { ...attempt(), status },
  );
  expect(failingSince(since, results)).toBe(expected);
});
