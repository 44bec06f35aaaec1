import { createClient, type Event, type EventPage } from '@waybill/client';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { openDatabase } from '@waybill/server/database/database';
import { rowStatement, rowsOf } from '@waybill/server/database/row-statement';
import { appendEvents, lockFeedsAfter, type NewEvent } from '@waybill/server/event-feed/append';
import { sql } from 'kysely';
import { expect, inject, vi } from 'vitest';
import { type Service, startService } from '../fixtures/service.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

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
const ownConnections = () => openDatabase({ url: inject('databaseUrl'), poolSize: 4, prepared: false });

/** Resolves when so many sessions wait for one, directly or behind others. */
const waitingFor = (db: Service['db'], pid: number | undefined, count: number): Promise<void> =>
  vi.waitFor(async () => {
    const { rows } = await sql`
      with recursive edge as (
        select pid, unnest(pg_blocking_pids(pid)) as by from pg_stat_activity where wait_event_type = 'Lock'
      ), queue as (
        select pid from edge where by = ${pid}::integer
        union
        select edge.pid from edge join queue on edge.by = queue.pid
      )
      select pid from queue`.execute(db);
    expect(rows).toHaveLength(count);
  }, waitTimeout);

/** A transaction that has appended an event and is not committed, with the id of its server process. */
async function appendLate(db: Service['db'], accountId: string) {
  const late = await db.startTransaction().execute();
  await appendEvents(late, accountId, [anyEvent]);
  // The event is sent with the next statement, which is usually the commit.
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(late);
  return { late, pid: rows[0]?.pid };
}

test('a reader misses no event of a transaction that commits late', async ({ service, account }) => {
  const { db } = service;
  await newShipment(account);
  const { next_after } = await account.client.listEvents();
  const read = async () =>
    (await account.client.listEvents({ after: String(next_after) })).data.map(({ type }) => type);

  const { late, pid } = await appendLate(db, account.id);
  const created = newShipment(account);
  await waitingFor(db, pid, 1); // the creation waits for the transaction that has the earlier position
  expect(await read()).toEqual([]);
  await late.commit().execute();
  await created;
  expect(await read()).toEqual(['shipment.cancelled', 'shipment.created']);
});

test('a reader misses no event of a transaction that waits while another one appends twice', async ({ account }) => {
  await using db = ownConnections();
  const { late, pid } = await appendLate(db, account.id);
  const waiting = db.transaction().execute((trx) => appendEvents(trx, account.id, [anyEvent]));
  await waitingFor(db, pid, 1);
  await appendEvents(late, account.id, [anyEvent]);
  await late.commit().execute();
  const { next_after } = await account.client.listEvents({ limit: 2 });
  await waiting;
  expect((await account.client.listEvents({ after: String(next_after) })).data).toHaveLength(1);
});

/** SQLSTATE of a lock that was not free in time. */
const lockNotAvailable = '55P03';

const lockFeeds = rowStatement({ writes: rowsOf<{ account_id: string }>({ account_id: 'uuid' }) }, (db, { writes }) =>
  db
    .with('rows', (cte) => cte.selectFrom(writes.as('w')).select('account_id'))
    .with('locked', lockFeedsAfter([], 'rows'))
    .selectFrom('locked')
    .selectAll(),
);

test('groups that lock the feeds of the same accounts do not wait for each other in a circle', async ({ service }) => {
  await using db = ownConnections();
  const accounts = [await newAccount(service), await newAccount(service)].map(({ id }) => id);
  const writesOf = (ids: string[]) => ({ writes: ids.map((account_id) => ({ account_id })) });
  const lockAll = (ids: string[]) => db.transaction().execute((trx) => lockFeeds(trx, writesOf(ids)));
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
    const holder = await db.startTransaction().execute();
    await lockFeeds(holder, writesOf([first]));
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(holder);
    const groups = Promise.all([lockAllInTime(accounts), lockAllInTime(accounts.toReversed())]);
    await waitingFor(db, rows[0]?.pid, 2);
    await holder.commit().execute();
    await groups;
  }
});

test('a transaction that appends an event does not delay another account', async ({ service, account }) => {
  const other = await newAccount(service);
  const { late } = await appendLate(service.db, account.id);
  await newShipment(other);
  expect((await other.client.listEvents()).data).toHaveLength(1);
  await late.rollback().execute();
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
