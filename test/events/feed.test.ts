import { createClient, type Event } from '@waybill/client';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { accountActivity } from '@waybill/server/concurrency/fair-queue';
import { openDatabase } from '@waybill/server/database/database';
import { appendEvents, eventRow, groupFeedTimeout, lockFeeds, type NewEvent } from '@waybill/server/event-feed/append';
import { eventFeed } from '@waybill/server/event-feed/feed';
import { refOf } from '@waybill/server/event-feed/queries';
import { eventWaker } from '@waybill/server/event-feed/waker';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { databaseUrl } from '../fixtures/database/database-url.ts';
import { hold } from '../fixtures/database/locks.ts';
import { post } from '../fixtures/requests/post.ts';
import { notWithCluster } from '../fixtures/service/not-with-cluster.ts';
import { startService } from '../fixtures/service/service.ts';
import { newShipment, proofFor, shipmentIn, shipmentRequest } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

test('each change appends its events, and a refused request none', async ({ account: { client, events } }) => {
  const created = await newShipment({ client });
  const cancelled = await client.cancelShipment({ shipment_id: created.id, reason: 'No truck.' });
  const shipment = await newShipment({ client });
  const { id: shipment_id, tracking_number } = shipment;
  const timestamp = new Date().toISOString();
  const location = { lat: 47.5, lng: -122.3 };
  const eta = '2027-03-04T14:00:00.000Z';
  const record = (status: 'dispatched' | 'picked_up' | 'in_transit', more = {}) =>
    client.recordTrackingEvent({ tracking_number, status, timestamp, ...more });
  const dispatched = await record('dispatched', { location, eta });
  const position = { ...location, lng: -121, updated_at: new Date(Date.now() + 1).toISOString() };
  await client.recordPositions({ tracking_number, positions: [position] });
  await client.recordPositions({ tracking_number, positions: [position], eta }); // the same again
  await record('picked_up');
  const inTransit = await record('in_transit');
  const proof = await proofFor({ client }, tracking_number);
  await client.submitProofOfDelivery({ tracking_number, ...proof, delivered_at: timestamp });
  // The resource as it was after the change.
  const { timeline: _, ...change } = dispatched;
  const current_location = { ...position, address: null };
  const delivered = await client.getTracking({ tracking_number });
  expect((await events()).map(({ type, data }) => [type, data])).toEqual([
    ['shipment.created', { shipment: created }],
    ['shipment.cancelled', { shipment: cancelled }],
    ['shipment.created', { shipment }],
    ['tracking.status_reached', { tracking: dispatched }],
    ['tracking.location_changed', { tracking_change: { shipment_id, ...change } }],
    ['tracking.eta_changed', { tracking_change: { shipment_id, ...change } }],
    ['tracking.location_changed', { tracking_change: { shipment_id, ...change, current_location } }],
    ['tracking.status_reached', { tracking: expect.objectContaining({ status: 'picked_up' }) }],
    ['tracking.status_reached', { tracking: inTransit }],
    ['tracking.status_reached', { tracking: delivered }],
    ['proof_of_delivery.submitted', { tracking: delivered }],
  ]);
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

const data = { shipment: contract.components.examples.ShipmentCancelled.value } as NewEvent['data'];
const event: NewEvent = { type: 'shipment.cancelled', shipmentId: crypto.randomUUID(), data };
const { signal } = new AbortController();
const start = { number: 0 };

/** The service's own fixture has fewer connections. */
const ownConnections = () => openDatabase({ url: databaseUrl(), poolSize: 8, prepared: false });

/** A waker and a feed of their own, which get no notifications of events that are appended. */
function ownFeed() {
  const db = ownConnections();
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

/** Reads so many events in pages of three. */
async function follow({ client }: Pick<TestAccount, 'client'>, count: number): Promise<Event[]> {
  const events: Event[] = [];
  for (let after: string | null = null; events.length < count; ) {
    const page: Awaited<ReturnType<typeof client.listEvents>> = await client.listEvents({ after, limit: 3, wait: 30 });
    events.push(...page.data);
    after = page.next_after;
  }
  return events;
}

test('a reader misses no event of a transaction that commits late, which delays no other account', async ({
  service,
  account,
}) => {
  const { listEvents } = account.client;
  await using db = ownConnections();
  const append = {
    async execute(trx: Parameters<typeof appendEvents>[0]) {
      await appendEvents(trx, [eventRow(account.id, event)]);
      await sql`select 1`.execute(trx); // the event is sent with the next statement
    },
  };
  await using late = await hold(db, append, 'commit');
  const created = newShipment(account);
  await late.waiting(1); // the creation waits for the transaction that has the earlier position
  await append.execute(late.trx);
  const other = await newAccount(service);
  await newShipment(other);
  expect([await account.events(), (await other.events()).length]).toEqual([[], 1]);
  await late.release();
  const { data: cancelled, next_after } = await listEvents({ limit: 2 });
  await created;
  const { data: later } = await listEvents({ after: next_after });
  const types = ['shipment.cancelled', 'shipment.cancelled', 'shipment.created'];
  expect([...cancelled, ...later].map(({ type }) => type)).toEqual(types);
});

test('groups that lock the feeds of the same accounts do not wait for each other in a circle', async ({ service }) => {
  await using db = ownConnections();
  const accounts = [await newAccount(service), await newAccount(service)].map(({ id }) => id);
  /** A group waits only for a short time. It is repeated, so that both wait together on a slow machine, too. */
  const lockAllInTime = async (ids: string[]): Promise<void> => {
    try {
      await db.transaction().execute((trx) => lockFeeds(ids, groupFeedTimeout).execute(trx));
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error; // lock_not_available
      await lockAllInTime(ids);
    }
  };
  // Whichever is locked first: one of the two orders would lock the other one before.
  for (const first of accounts) {
    await using held = await hold(db, lockFeeds([first]));
    const groups = Promise.all([lockAllInTime(accounts), lockAllInTime(accounts.toReversed())]);
    await held.waiting(2);
    await held.release();
    await groups;
  }
});

test('every reader sees one order, and the events of a shipment in the order of its changes', async ({ account }) => {
  await using second = await startService();
  const onSecond = { client: createClient({ baseUrl: second.baseUrl, apiKey: account.key }) };
  const writers = Array.from({ length: 12 }, (_, index) => shipmentIn(index % 2 ? account : onSecond, 'in_transit'));
  const [first = [], ...others] = await Promise.all([account, onSecond, account].map((each) => follow(each, 12 * 4)));
  for (const other of others) expect(other).toEqual(first);
  for (const { tracking_number } of await Promise.all(writers)) {
    const own = first.map(({ data }) => data.shipment ?? data.tracking);
    const statuses = own.flatMap((each) => (each?.tracking_number === tracking_number ? each.status : []));
    expect(statuses, tracking_number).toEqual(['scheduled', 'dispatched', 'picked_up', 'in_transit']);
  }
});

/** Counts the notifications that have named an account. They are sent in the order of the commits. */
const notificationsOf = ({ id }: TestAccount): number =>
  vi.mocked(pg.Client.prototype.query).mock.calls.filter(([first]) => {
    const { text = '', values = [] } = first as { text?: string; values?: unknown[] };
    return text.includes('pg_notify') && values.some((value) => String(value).includes(id));
  }).length;

const create = { path: '/shipments', body: { ...shipmentRequest(), reference: 'PO-1' }, key: 'k' };

test('a write notifies the readers of its account once, and neither a replay nor a refusal does', async () => {
  notWithCluster('it reads the statements of this process');
  using _query = vi.spyOn(pg.Client.prototype, 'query');
  await using service = await startService();
  const [account, other] = [await newAccount(service), await newAccount(service)];
  expect(await post(service, account, create)).toMatchObject({ status: 201, replayed: false });
  await vi.waitFor(() => expect(notificationsOf(account)).toBe(1), waitTimeout);
  expect(await post(service, account, create)).toMatchObject({ status: 201, replayed: true });
  expect(await post(service, account, { ...create, key: 'other' })).toMatchObject({ status: 409 });
  await newShipment(other);
  await vi.waitFor(() => expect(notificationsOf(other)).toBe(1), waitTimeout);
  expect(notificationsOf(account)).toBe(1);
});
