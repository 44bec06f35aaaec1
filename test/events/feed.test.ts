import { createClient, type EventsParams } from '@waybill/client';
import { accountActivity } from '@waybill/server/concurrency/fair-queue';
import { openDatabase } from '@waybill/server/database/database';
import type { DatabaseObserver } from '@waybill/server/database/driver';
import { appendEvents, eventRow, type NewEvent } from '@waybill/server/event-feed/append';
import { eventFeed } from '@waybill/server/event-feed/feed';
import { refOf } from '@waybill/server/event-feed/queries';
import { eventWaker } from '@waybill/server/event-feed/waker';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { databaseUrl } from '../fixtures/database-url.ts';
import { get, problemOf } from '../fixtures/http.ts';
import { open, responsesOf } from '../fixtures/raw-http.ts';
import { type Service, startService } from '../fixtures/service.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { openStream } from './read-stream.ts';

const list = ({ client }: Pick<TestAccount, 'client'>, params: EventsParams = {}) => client.listEvents(params);

test('an account without events has an empty list and nothing to continue from', async ({ account }) => {
  expect(await list(account)).toEqual({ data: [], has_more: false, next_after: null });
});

test('next_after leads through all events, and to the next one', async ({ account }) => {
  for (let count = 0; count < 3; count++) await newShipment(account);
  const all = await list(account);
  const first = await list(account, { limit: 2 });
  expect(first).toEqual({ data: all.data.slice(0, 2), has_more: true, next_after: all.data[1]?.id });
  const after = String(first.next_after);
  const second = await list(account, { limit: 2, after });
  expect(second).toEqual({ data: all.data.slice(2), has_more: false, next_after: all.data[2]?.id });
  const end = { after: String(second.next_after) };
  expect(await list(account, end)).toEqual({ data: [], has_more: false, next_after: end.after });
  const { id } = await newShipment(account);
  expect((await list(account, end)).data.map(({ data }) => data.shipment?.id)).toEqual([id]);
});

test('types leaves out other events, and next_after passes them', async ({ account }) => {
  await shipmentIn(account, 'cancelled');
  await newShipment(account);
  const types = ['shipment.cancelled', 'tracking.status_reached'] as const;
  const { data, next_after } = await list(account, { types });
  expect(data.map(({ type }) => type)).toEqual(['shipment.cancelled']);
  expect(next_after).toBe((await list(account)).data.at(-1)?.id);
  expect((await list(account, { types, after: data[0]?.id })).data).toEqual([]);
});

test('an event of a rare type is found behind many others in one request', async ({ service, account }) => {
  await sql`
    insert into events (account_id, number, created_at, type, shipment_id, data)
    select ${account.id}, nextval('event_numbers'), now(), 'tracking.eta_changed', gen_random_uuid(), '{}'
    from generate_series(1, 1100)`.execute(service.db);
  const { id } = await newShipment(account);
  const page = await list(account, { types: ['shipment.created'] });
  expect([page.data.map(({ data }) => data.shipment?.id), page.has_more]).toEqual([[id], false]);
  expect(page.next_after).toBe(page.data[0]?.id);
});

test('a position with more than 128 bits is refused by name', async ({ service, account }) => {
  const response = await get(service, account, '/events?after=evt_81kjpx8p02fabr24pa3eywnyp2');
  expect(await response.json()).toMatchObject({ status: 400, errors: [{ in: 'query', pointer: '/after' }] });
});

test('events of another account are invisible, also by their id', async ({ service, account }) => {
  await newShipment(account);
  const [event] = (await list(account)).data;
  const other = await newAccount(service);
  // As for an event that no account has.
  for (const after of [String(event?.id), 'evt_01kjpx8p02fabr24pa3eywnyp2']) {
    await expect(list(other, { after })).rejects.toMatchObject({ status: 410, code: 'events_expired' });
  }
});

test('wait returns as soon as another instance has stored a change', async ({ account }) => {
  await using second = await startService();
  const reader = { client: createClient({ baseUrl: second.baseUrl, apiKey: account.key }) };
  const waiting = list(reader, { wait: 30 });
  const { id } = await newShipment(account);
  expect((await waiting).data.map(({ data }) => data.shipment?.id)).toEqual([id]);
});

const event: NewEvent = { type: 'shipment.created', shipmentId: crypto.randomUUID(), data: {} };

test('an event whose notification was lost is found', async ({ account }) => {
  await using db = openDatabase({ url: databaseUrl(), poolSize: 1, prepared: false });
  const append = () => db.transaction().execute((trx) => appendEvents(trx, [eventRow(account.id, event)]));
  const { signal } = new AbortController();
  const waker = eventWaker(db);
  const feed = eventFeed(db, accountActivity(), waker);
  await append();
  const [first = expect.unreachable()] = await feed.next(account.id, { number: 0 }, signal);
  const next = feed.next(account.id, first, signal); // it knows that there is none
  await append();
  expect((await next).map(({ type }) => type)).toEqual(['shipment.created']);
  waker.close();
  feed.close();
});

test('each account with readers is looked at in turn for events that were missed', async ({ account }) => {
  await using db = openDatabase({ url: databaseUrl(), poolSize: 1, prepared: false });
  const { signal } = new AbortController();
  const waker = eventWaker(db);
  const feed = eventFeed(db, accountActivity(), waker);
  const append = (age: string) =>
    sql`insert into events (account_id, number, created_at, type, shipment_id, data)
      values (${account.id}, nextval('event_numbers'), now() - ${age}::interval, 'shipment.cancelled',
        ${event.shipmentId}, '{}')`.execute(db);
  const start = { number: 0 };
  const others = Array.from({ length: 20 }, () => feed.next(crypto.randomUUID(), start, signal)); // those of one look
  await append('12 hours');
  const [first = expect.unreachable()] = await feed.next(account.id, start, signal);
  const next = feed.next(account.id, refOf(first), signal); // it knows that there is none
  await append('30 hours'); // too old for the look at the newest events of all accounts
  expect((await next).map(({ type }) => type)).toEqual(['shipment.cancelled']);
  waker.close();
  feed.close();
  expect((await Promise.all(others)).flat()).toEqual([]);
});

test('the events of an account are read for one reader behind at a time', async ({ account }) => {
  let [running, most] = [0, 0];
  const observer: DatabaseObserver = {
    startStatement() {
      most = Math.max(most, ++running);
      return () => running--;
    },
    callerOf: () => undefined,
    runBatch: (_name, _callers, run) => run(),
  };
  const { signal } = new AbortController();
  await using db = openDatabase({ url: databaseUrl(), poolSize: 8, prepared: false, observer });
  await db
    .transaction()
    .execute((trx) => appendEvents(trx, [eventRow(account.id, event), eventRow(account.id, event)]));
  const feed = eventFeed(db, accountActivity(), { listen: () => {} });
  await feed.next(account.id, { number: 0 }, signal);
  most = 0;
  const behind = Array.from({ length: 8 }, () => feed.next(account.id, { number: 0 }, signal));
  for (const events of await Promise.all(behind)) expect(events.length).toBe(2);
  expect(most).toBe(1);
  feed.close();
});

test('an event whose notification was lost is told to a listener, with its position', async ({ account }) => {
  await using db = openDatabase({ url: databaseUrl(), poolSize: 1, prepared: false });
  const append = () => db.transaction().execute((trx) => appendEvents(trx, [eventRow(account.id, event)]));
  await append(); // before the listener, which needs no position of an account
  const waker = eventWaker(db);
  const told: (number | undefined)[] = [];
  waker.listen((accountId, last) => void (accountId === account.id && told.push(last)));
  await vi.waitFor(async () => {
    await append(); // the first one may be earlier than the first poll
    expect(told).not.toEqual([]);
  }, waitTimeout);
  const { rows } = await sql<{ number: number }>`select number from events where account_id = ${account.id}`.execute(
    db,
  );
  expect(rows.map(({ number }) => number)).toContain(told[0]);
  waker.close();
  told.length = 0;
  waker.wake(account.id); // the instance drains, and its requests still write
  expect(told).toEqual([undefined]);
});

test('a listener is told of an event whose transaction commits after polls have found later events', async ({
  account,
}) => {
  await using db = openDatabase({ url: databaseUrl(), poolSize: 3, prepared: false });
  const waker = eventWaker(db);
  const told = new Map<string, number | undefined>();
  waker.listen((accountId, last) => void told.set(accountId, last));
  const pollFinds = async (other: string): Promise<void> => {
    await vi.waitFor(async () => {
      await db.transaction().execute((trx) => appendEvents(trx, [eventRow(other, event)]));
      expect(told.has(other)).toBe(true);
    }, waitTimeout);
  };
  await pollFinds(crypto.randomUUID()); // later numbers are those after the first poll
  const late = await db.startTransaction().execute();
  await sql`insert into events (account_id, number, created_at, type, shipment_id, data)
    values (${account.id}, nextval('event_numbers'), now(), 'shipment.cancelled', ${event.shipmentId}, '{}')`.execute(
    late,
  );
  await pollFinds(crypto.randomUUID());
  expect(told.has(account.id)).toBe(false);
  await late.commit().execute();
  await vi.waitFor(() => expect(told.has(account.id)).toBe(true), waitTimeout);
  waker.close();
});

test('a stopping service responds to a request that waits', async () => {
  const service = await startService();
  const { key } = await newAccount(service);
  const { socket, closed, responses } = await open(service);
  const host = 'HTTP/1.1\r\nhost: a\r\n';
  socket.write(`GET /health/live ${host}\r\nGET /v1/events?wait=30 ${host}authorization: Bearer ${key}\r\n\r\n`);
  await responses(1); // the second request has arrived, too
  await service[Symbol.asyncDispose]();
  expect(responsesOf(await closed).map(({ status }) => status)).toEqual([200, 200]);
});

const expired = { status: 410, code: 'events_expired' };

/** Removes the newest events, as the restoration of a backup that was made before them does. */
async function loseNewest({ db }: Service, { id }: TestAccount, count: number): Promise<void> {
  await sql`delete from events where account_id = ${id} and number in (
    select number from events where account_id = ${id} order by number desc limit ${count})`.execute(db);
}

/** The position that a reader has stored after the last event. */
const lastPosition = async ({ client }: TestAccount): Promise<string> => String((await client.listEvents()).next_after);

test('the position of a lost event returns 410 in a list, a wait and a stream', async ({ service, account }) => {
  for (let count = 0; count < 3; count++) await newShipment(account);
  const after = await lastPosition(account);
  await loseNewest(service, account, 1);
  const paths = ['/events?', '/events?wait=30&', '/events?types=shipment.created&', '/events/stream?'];
  for (const path of paths) {
    expect(await problemOf(await get(service, account, `${path}after=${after}`)), path).toMatchObject(expired);
  }
  expect((await account.client.listEvents()).data).toHaveLength(2);
});

test('a position that a later event has taken returns 410', async ({ service, account }) => {
  await newShipment(account);
  const after = await lastPosition(account);
  await sql`update events set created_at = now() + interval '1 second' where account_id = ${account.id}`.execute(
    service.db,
  );
  expect(await problemOf(await get(service, account, `/events?after=${after}`))).toMatchObject(expired);
});

test('a stream and a wait end when their last event is lost, and return 410 afterwards', async ({ account }) => {
  await using service = await startService({ EVENT_STREAM_SECONDS: '600' });
  for (let count = 0; count < 2; count++) await newShipment(account);
  await using stream = await openStream(service, account);
  const [, last] = await stream.events(2);
  const waiting = get(service, account, `/events?wait=30&after=${last?.id}`);
  await loseNewest(service, account, 1);
  expect(await stream.rest()).toEqual([]);
  expect(await problemOf(await waiting)).toMatchObject(expired);
  const resumed = await openStream(service, account, { lastEventId: last?.id });
  expect(resumed.response.status).toBe(410);
});
