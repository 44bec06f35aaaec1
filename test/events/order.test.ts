import { createClient, type Event, type EventPage } from '@waybill/client';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { openDatabase } from '@waybill/server/database/database';
import { appendEvents, eventRow, groupFeedTimeout, lockFeeds, type NewEvent } from '@waybill/server/event-feed/append';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { databaseUrl } from '../fixtures/database-url.ts';
import { hold } from '../fixtures/locks.ts';
import { type Service, startService } from '../fixtures/service.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';

type Reader = Pick<TestAccount, 'client'>;

const data = { shipment: contract.components.examples.ShipmentCancelled.value } as NewEvent['data'];
const anyEvent: NewEvent = { type: 'shipment.cancelled', shipmentId: crypto.randomUUID(), data };

/** Reads on from an event until a condition holds, in pages of three. */
async function follow({ client }: Reader, isComplete: (events: Event[]) => boolean): Promise<Event[]> {
  const events: Event[] = [];
  let after: string | null = null;
  while (!isComplete(events)) {
    const page: EventPage = await client.listEvents({ after, limit: 3, wait: 1 });
    events.push(...page.data);
    after = page.next_after;
  }
  return events;
}

/** The service's own fixture has fewer connections. */
const ownConnections = () => openDatabase({ url: databaseUrl(), poolSize: 4, prepared: false });

/** A transaction that has appended an event and commits on release. */
const appendLate = (db: Service['db'], accountId: string) =>
  hold(
    db,
    {
      async execute(trx) {
        await appendEvents(trx, [eventRow(accountId, anyEvent)]);
        await sql`select 1`.execute(trx); // the event is sent with the next statement
      },
    },
    'commit',
  );

test('a reader misses no event of a transaction that commits late', async ({ service, account }) => {
  await newShipment(account);
  const { next_after } = await account.client.listEvents();
  const read = async () =>
    (await account.client.listEvents({ after: String(next_after) })).data.map(({ type }) => type);

  await using late = await appendLate(service.db, account.id);
  const created = newShipment(account);
  await late.waiting(1); // the creation waits for the transaction that has the earlier position
  expect(await read()).toEqual([]);
  await late.release();
  await created;
  expect(await read()).toEqual(['shipment.cancelled', 'shipment.created']);
});

test('a reader misses no event of a transaction that waits while another one appends twice', async ({ account }) => {
  await using db = ownConnections();
  await using late = await appendLate(db, account.id);
  const waiting = db.transaction().execute((trx) => appendEvents(trx, [eventRow(account.id, anyEvent)]));
  await late.waiting(1);
  await appendEvents(late.trx, [eventRow(account.id, anyEvent)]);
  await late.release();
  const { next_after } = await account.client.listEvents({ limit: 2 });
  await waiting;
  expect((await account.client.listEvents({ after: String(next_after) })).data).toHaveLength(1);
});

/** SQLSTATE of a lock that was not free in time. */
const lockNotAvailable = '55P03';

test('groups that lock the feeds of the same accounts do not wait for each other in a circle', async ({ service }) => {
  await using db = ownConnections();
  const accounts = [await newAccount(service), await newAccount(service)].map(({ id }) => id);
  const lockAll = (ids: string[]) => db.transaction().execute((trx) => lockFeeds(ids, groupFeedTimeout).execute(trx));
  /** A group waits only for a short time. It is repeated, so that both wait together on a slow machine, too. */
  const lockAllInTime = async (ids: string[]): Promise<void> => {
    try {
      await lockAll(ids);
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable) throw error;
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

test('a transaction that appends an event does not delay another account', async ({ service, account }) => {
  const other = await newAccount(service);
  await using _late = await appendLate(service.db, account.id);
  await newShipment(other);
  expect((await other.client.listEvents()).data).toHaveLength(1);
});

test('every reader sees one order, and the events of a shipment in the order of its changes', async ({ account }) => {
  await using second = await startService();
  const onSecond = { client: createClient({ baseUrl: second.baseUrl, apiKey: account.key }) };
  const writers = Array.from({ length: 12 }, (_, index) => shipmentIn(index % 2 ? account : onSecond, 'in_transit'));
  const isComplete = (events: Event[]) => events.length === 12 * 4;
  const reads = [account, onSecond, account].map((reader) => follow(reader, isComplete));
  const [first = [], ...others] = await Promise.all(reads);
  for (const other of others) expect(other).toEqual(first);
  for (const { id, tracking_number } of await Promise.all(writers)) {
    const own = first.filter(({ data }) => (data.shipment ?? data.tracking)?.tracking_number === tracking_number);
    expect(
      own.map(({ data }) => (data.shipment ?? data.tracking)?.status),
      id,
    ).toEqual(['scheduled', 'dispatched', 'picked_up', 'in_transit']);
  }
});
