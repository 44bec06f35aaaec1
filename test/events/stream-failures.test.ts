import { once } from 'node:events';
import { createClient } from '@waybill/client';
import { partsOfEventId } from '@waybill/server/events/event';
import { startProxy } from '@waybill/tools/network';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { clock } from '../fixtures/clock.ts';
import { databaseUrl } from '../fixtures/database-url.ts';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { open } from '../fixtures/raw-http.ts';
import { type Service, startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { changeLimits, changeTimes } from './change-times.ts';
import { openStream, resumeUntil } from './read-stream.ts';

const long = { EVENT_STREAM_SECONDS: '600' };

/** The ids of all events of an account. */
async function storedIds({ client }: Pick<TestAccount, 'client'>): Promise<string[]> {
  const { data, has_more } = await client.listEvents({ limit: 100 });
  expect(has_more).toBe(false);
  return data.map(({ id }) => id);
}

test('a reader that resumes across restarts of the service has every event once, in order', async ({ account }) => {
  let service: Service = await startService(long);
  const port = new URL(service.baseUrl).port;
  const total = 24;
  const reading = resumeUntil(
    () => service,
    account,
    (ids) => ids.length >= total,
  );
  for (let restart = 0; restart < 3; restart++) {
    for (let count = 0; count < total / 4; count++) await newShipment(account);
    const writing = Array.from({ length: total / 12 }, () => newShipment(account));
    await service[Symbol.asyncDispose]();
    service = await startService({ ...long, PORT: port });
    await Promise.all(writing);
  }
  const ids = await reading;
  expect(ids).toEqual(await storedIds(account));
  expect(ids).toHaveLength(total);
  await service[Symbol.asyncDispose]();
});

/** A setting by which the connections that listen for notifications are found. */
function namedListener({ db }: Pick<Service, 'db'>) {
  const url = new URL(databaseUrl());
  const name = crypto.randomUUID();
  url.searchParams.set('application_name', name);
  const listeners = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where application_name = ${name} and query like 'listen%'`.execute(db);
    return rows.map(({ pid }) => pid);
  };
  return { EVENT_LISTEN_URL: url.href, listeners };
}

test('a stream gets notifications again after their connection is killed', async ({ service, account }) => {
  notWithCluster('it names the connection of its service');
  const { EVENT_LISTEN_URL, listeners } = namedListener(service);
  await using reader = await startService({ ...long, EVENT_LISTEN_URL });
  await using stream = await openStream(reader, account);
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1), waitTimeout);
  const [pid] = await listeners();
  await sql`select pg_terminate_backend(${pid}::integer)`.execute(service.db);
  const missed = await newShipment(account);
  expect((await stream.events(1))[0]?.data.shipment?.id).toBe(missed.id);
  await vi.waitFor(async () => {
    const [next] = await listeners();
    expect([undefined, pid]).not.toContain(next);
  }, waitTimeout);
  const later = await newShipment(account);
  expect((await stream.events(1))[0]?.data.shipment?.id).toBe(later.id);
});

test('streams end when PostgreSQL is unreachable, and can be resumed', async ({ service, account }) => {
  notWithCluster('it reads the log');
  const url = databaseUrl();
  await using network = await startProxy(Number(new URL(url).port));
  const log: Record<string, unknown>[] = [];
  const { EVENT_LISTEN_URL, listeners } = namedListener(service);
  const settings = { ...long, DATABASE_URL: network.through(url), EVENT_LISTEN_URL };
  await using reader = await startService({ ...settings, LOG_LEVEL: 'warn' }, log);
  const streams = [await openStream(reader, account), await openStream(reader, account)];
  for (const stream of streams) await stream.next();
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(1), waitTimeout); // nothing else tells of the event
  await network.set({ kind: 'cut' });
  const writer = createClient({ baseUrl: service.baseUrl, apiKey: account.key });
  await newShipment({ client: writer });
  for (const stream of streams) expect(await stream.rest()).toEqual([]);
  const ends = log.filter(({ msg }) => String(msg).startsWith('event streams end'));
  expect(ends).toHaveLength(1);
  await network.set({ kind: 'none' });
  const [id] = await storedIds(account);
  expect(
    await resumeUntil(
      () => reader,
      account,
      (ids) => ids.length > 0,
    ),
  ).toEqual([id]);
});

test('the streams of two accounts on one instance are independent', async ({ service, account }) => {
  const other = await newAccount(service);
  await using reader = await startService(long);
  await using own = await openStream(reader, account);
  await using theirs = await openStream(reader, other);
  const shipments = [await newShipment(account), await newShipment(other)];
  expect((await own.events(1))[0]?.data.shipment?.id).toBe(shipments[0]?.id);
  expect((await theirs.events(1))[0]?.data.shipment?.id).toBe(shipments[1]?.id);
});

const requestOf = (key: string): string =>
  `GET /v1/events/stream HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n\r\n`;

/** The ids of the events that have arrived completely. */
function completeIds(received: string): string[] {
  const [, ...parts] = received.split(/\r\n[\da-f]+\r\n/);
  const blocks = parts.join('').split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => /^id: (\w+)$/m.exec(block)?.[1] ?? []);
}

test('a client that reads nothing is disconnected, and loses no event when it resumes', async () => {
  changeTimes({ heartbeat: 100 });
  changeLimits({ stall: 1500 });
  await using service = await startService({ ...long, EVENT_STREAMS_PER_KEY: '1' });
  const account = await newAccount(service);
  const total = 4000; // more bytes than all buffers have
  await sql`
    insert into events (account_id, number, created_at, type, shipment_id, data)
    select ${account.id}, nextval('event_numbers'), now(), 'tracking.eta_changed', gen_random_uuid(),
      jsonb_build_object('filler', repeat('x', 5000))
    from generate_series(1, ${total}::integer)`.execute(service.db);
  const { socket, received, closed } = await open(service);
  socket.write(requestOf(account.key));
  await once(socket, 'data');
  socket.pause();
  // The key may have one stream: a second one opens when the first has ended.
  await vi.waitFor(async () => {
    await using other = await openStream(service, account);
    expect(other.response.status).toBe(200);
  }, waitTimeout);
  socket.resume();
  await closed;
  const first = completeIds(received());
  expect(first.length).toBeLessThan(total);
  const rest = await resumeUntil(
    () => service,
    account,
    (ids) => first.length + ids.length >= total,
    first.at(-1),
  );
  const { rows } = await sql<{ number: number }>`
    select number from events where account_id = ${account.id} order by number`.execute(service.db);
  const numbers = [...first, ...rest].map((id) => partsOfEventId(id).number);
  expect(numbers).toEqual(rows.map(({ number }) => number));
});

test('a stopping service ends all streams at once, while it drains', async () => {
  const time = clock();
  const drain = 600_000;
  const service = await startService({ ...long, DRAIN_MS: String(drain) });
  const account = await newAccount(service);
  const kept = await open(service);
  kept.socket.write(requestOf(account.key));
  await once(kept.socket, 'data');
  const stream = await openStream(service, account);
  await stream.next();
  const stopped = service[Symbol.asyncDispose]();
  expect(await stream.rest()).toEqual([]);
  await vi.waitFor(() => expect(kept.received()).toMatch(/\r\n0\r\n\r\n$/), waitTimeout);
  const late = await openStream(service, account);
  expect([late.response.status, late.response.headers.get('connection')]).toEqual([200, 'close']);
  expect((await late.rest()).map((block) => Object.keys(block))).toEqual([['retry']]);
  expect(kept.socket.destroyed).toBe(false);
  time.forward(drain + 1);
  await stopped;
  await kept.closed;
});
