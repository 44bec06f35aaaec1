import { createClient, type Event } from '@waybill/client';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { openDatabase } from '@waybill/server/database/database';
import { appendEvents, eventRow, groupFeedTimeout, lockFeeds, type NewEvent } from '@waybill/server/event-feed/append';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { databaseUrl } from '../fixtures/database-url.ts';
import { hold } from '../fixtures/locks.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';

const data = { shipment: contract.components.examples.ShipmentCancelled.value } as NewEvent['data'];
const anyEvent: NewEvent = { type: 'shipment.cancelled', shipmentId: crypto.randomUUID(), data };

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

/** The service's own fixture has fewer connections. */
const ownConnections = () => openDatabase({ url: databaseUrl(), poolSize: 4, prepared: false });

test('a reader misses no event of a transaction that commits late, which delays no other account', async ({
  service,
  account,
}) => {
  const { listEvents } = account.client;
  await using db = ownConnections();
  const append = {
    async execute(trx: Parameters<typeof appendEvents>[0]) {
      await appendEvents(trx, [eventRow(account.id, anyEvent)]);
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
