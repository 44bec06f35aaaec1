import { accountActivity } from '@waybill/server/concurrency/fair-queue';
import { openDatabase } from '@waybill/server/database/database';
import type { DatabaseObserver } from '@waybill/server/database/driver';
import { appendEvents, eventRow, type NewEvent } from '@waybill/server/event-feed/append';
import { eventFeed } from '@waybill/server/event-feed/feed';
import { refOf } from '@waybill/server/event-feed/queries';
import { eventWaker } from '@waybill/server/event-feed/waker';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { concurrently } from '../fixtures/concurrently.ts';
import { databaseUrl } from '../fixtures/database-url.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

test('next_after leads through all events, and to the next one', async ({ account }) => {
  const { listEvents } = account.client;
  expect(await listEvents()).toEqual({ data: [], has_more: false, next_after: null });
  for (let count = 0; count < 3; count++) await newShipment(account);
  const { data } = await listEvents();
  const [, second = expect.unreachable(), third = expect.unreachable()] = data;
  expect(await listEvents({ limit: 2 })).toEqual({ data: data.slice(0, 2), has_more: true, next_after: second.id });
  const end = { data: [third], has_more: false, next_after: third.id };
  expect(await listEvents({ limit: 2, after: second.id })).toEqual(end);
  expect(await listEvents({ after: third.id })).toEqual({ ...end, data: [] });
  const { id } = await newShipment(account);
  expect((await listEvents({ after: third.id })).data).toMatchObject([{ data: { shipment: { id } } }]);
});

test('types leaves out any number of other events, and next_after passes them', async ({ service, account }) => {
  const { listEvents } = account.client;
  await sql`
    insert into events (account_id, number, created_at, type, shipment_id, data)
    select ${account.id}, nextval('event_numbers'), now(), 'tracking.eta_changed', gen_random_uuid(), '{}'
    from generate_series(1, 1100)`.execute(service.db);
  const { id } = await shipmentIn(account, 'cancelled');
  const [, last] = (await listEvents({ types: ['shipment.created', 'shipment.cancelled'] })).data;
  const found = await listEvents({ types: ['shipment.created', 'tracking.status_reached'] });
  const data = [{ type: 'shipment.created', data: { shipment: { id } } }];
  expect(found).toMatchObject({ data, has_more: false, next_after: last?.id });
  expect((await listEvents({ types: ['shipment.created'], after: found.data[0]?.id })).data).toEqual([]);
});

const event: NewEvent = { type: 'shipment.created', shipmentId: crypto.randomUUID(), data: {} };
const { signal } = new AbortController();
const start = { number: 0 };

/** A waker and a feed of their own, which get no notifications of events that are appended. */
function ownFeed(observer?: DatabaseObserver) {
  const db = openDatabase({ url: databaseUrl(), poolSize: 8, prepared: false, ...(observer && { observer }) });
  const waker = eventWaker(db);
  const feed = eventFeed(db, accountActivity(), waker);
  return {
    ...{ db, waker, feed },
    append: (accountId: string) => db.transaction().execute((trx) => appendEvents(trx, [eventRow(accountId, event)])),
    async [Symbol.asyncDispose]() {
      waker.close();
      feed.close();
      await db.destroy();
    },
  };
}

test('each account with readers is examined in turn for events whose notification was lost', async ({ account }) => {
  await using own = ownFeed();
  const { db, feed } = own;
  const append = (age: string) =>
    sql`insert into events (account_id, number, created_at, type, shipment_id, data)
      values (${account.id}, nextval('event_numbers'), now() - ${age}::interval, 'shipment.cancelled',
        ${event.shipmentId}, '{}')`.execute(db);
  for (let count = 0; count < 20; count++) void feed.next(crypto.randomUUID(), start, signal); // those of one look
  await append('12 hours');
  const [first = expect.unreachable()] = await feed.next(account.id, start, signal);
  const next = feed.next(account.id, refOf(first), signal); // it knows that there is none
  await append('30 hours'); // too old for the look at the newest events of all accounts
  expect((await next).map(({ type }) => type)).toEqual(['shipment.cancelled']);
});

test('the events of an account are read for one reader behind at a time', async ({ account }) => {
  let [running, most] = [0, 0];
  await using own = ownFeed({
    startStatement() {
      most = Math.max(most, ++running);
      return () => running--;
    },
    callerOf: () => undefined,
    runBatch: (_name, _callers, run) => run(),
  });
  const { feed, waker, append } = own;
  waker.close(); // it polls
  await append(account.id);
  await feed.next(account.id, start, signal);
  most = 0;
  const read = await concurrently(8, () => feed.next(account.id, start, signal));
  expect([read.map(({ length }) => length), most]).toEqual([Array(8).fill(1), 1]);
});

test('a listener is told of an event without a notification, also of one that commits after later ones', async ({
  account,
}) => {
  await using own = ownFeed();
  const { db, waker, append } = own;
  const told = new Map<string, number | undefined>();
  waker.listen((accountId, last) => void told.set(accountId, last));
  /** The first event may be earlier than the first poll. */
  const pollFinds = async (accountId: string): Promise<void> => {
    await vi.waitFor(async () => {
      await append(accountId);
      expect(told.has(accountId)).toBe(true);
    }, waitTimeout);
    const { rows } = await sql`select from events
      where account_id = ${accountId} and number = ${told.get(accountId)}`.execute(db);
    expect(rows).toHaveLength(1);
  };
  await pollFinds(crypto.randomUUID()); // later numbers are those after the first poll
  const late = await db.startTransaction().execute();
  await appendEvents(late, [eventRow(account.id, event)]);
  await sql`select 1`.execute(late); // the event is sent with the next statement
  await pollFinds(crypto.randomUUID());
  expect(told.has(account.id)).toBe(false);
  await late.commit().execute();
  await vi.waitFor(() => expect(told.has(account.id)).toBe(true), waitTimeout);
  waker.close();
  waker.wake(account.id); // the instance drains, and its requests still write
  expect(told.get(account.id)).toBe(undefined);
});
