import { once } from 'node:events';
import { streamLimits } from '@waybill/http/streamed-body';
import { partsOfEventId } from '@waybill/server/events/event';
import { streamTimes } from '@waybill/server/events/stream';
import { startProxy } from '@waybill/tools/lab/network/proxy';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { clock } from '../fixtures/clock.ts';
import { databaseUrl } from '../fixtures/database/database-url.ts';
import { concurrently } from '../fixtures/requests/concurrently.ts';
import { open } from '../fixtures/requests/raw-http.ts';
import { get } from '../fixtures/requests/send.ts';
import { notWithCluster } from '../fixtures/service/not-with-cluster.ts';
import { type Service, startService } from '../fixtures/service/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { changeValues } from './change-times.ts';
import { openStream, resumeUntil } from './read-stream.ts';

const long = { EVENT_STREAM_SECONDS: '600' };

test('a reader that resumes across restarts of the service has every event once, in order', async ({ account }) => {
  let service: Service = await startService(long);
  const PORT = new URL(service.baseUrl).port;
  const reading = resumeUntil(16, () => service, account);
  for (let restart = 0; restart < 2; restart++) {
    for (let count = 0; count < 6; count++) await newShipment(account);
    const writing = concurrently(2, () => newShipment(account));
    await service[Symbol.asyncDispose]();
    service = await startService({ ...long, PORT });
    await writing;
  }
  const events = await account.events();
  expect(await reading).toEqual(events.map(({ id }) => id));
  await service[Symbol.asyncDispose]();
});

test('streams go on after their notifications are cut off, and can be resumed after PostgreSQL was unreachable', async ({
  service,
  account,
}) => {
  notWithCluster('it reads the log');
  const url = new URL(databaseUrl());
  const name = crypto.randomUUID();
  url.searchParams.set('application_name', name);
  /** Waits for another connection that listens for notifications. */
  const listener = (previous?: number): Promise<number> =>
    vi.waitFor(async () => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity where application_name = ${name} and query like 'listen%'`.execute(service.db);
      const [{ pid } = expect.unreachable()] = rows;
      expect(pid).not.toBe(previous);
      return pid;
    }, waitTimeout);
  await using network = await startProxy(Number(url.port));
  const log: Record<string, unknown>[] = [];
  const DATABASE_URL = network.through(databaseUrl());
  const settings = { ...long, LOG_LEVEL: 'warn', DATABASE_URL, EVENT_LISTEN_URL: url.href };
  await using reader = await startService(settings, log);
  const streams = [await openStream(reader, account), await openStream(reader, account)];
  const create = async (): Promise<void> => {
    const { id } = await newShipment(account);
    for (const stream of streams) expect(await stream.events(1)).toMatchObject([{ data: { shipment: { id } } }]);
  };
  const other = await newAccount(service);
  await using theirs = await openStream(reader, other);
  await theirs.next();
  const pid = await listener();
  await sql`select pg_terminate_backend(${pid}::integer)`.execute(service.db);
  await create();
  await listener(pid);
  await create();
  const { id } = await newShipment(other);
  expect(await theirs.events(1)).toMatchObject([{ data: { shipment: { id } } }]);

  await network.set({ kind: 'cut' });
  await newShipment(account);
  for (const stream of streams) expect(await stream.rest()).toEqual([]);
  expect(log.filter(({ msg }) => String(msg).startsWith('event streams end'))).toHaveLength(1);
  await network.set({ kind: 'none' });
  const [, second, third] = await account.events();
  expect(await resumeUntil(1, () => reader, account, second?.id)).toEqual([third?.id]);
});

const requestOf = (key: string): string =>
  `GET /v1/events/stream HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n\r\n`;

test('a client that reads nothing is disconnected, and loses no event when it resumes', async () => {
  changeValues(streamTimes, { heartbeat: 100 });
  changeValues(streamLimits, { stall: 1500 });
  await using service = await startService({ ...long, EVENT_STREAMS_PER_KEY: '1' });
  const account = await newAccount(service);
  const total = 4000; // more bytes than all buffers have
  const { rows } = await sql<{ number: number }>`
    insert into events (account_id, number, created_at, type, shipment_id, data)
    select ${account.id}, nextval('event_numbers'), now(), 'tracking.eta_changed', gen_random_uuid(),
      jsonb_build_object('filler', repeat('x', 5000))
    from generate_series(1, ${total}::integer) returning number`.execute(service.db);
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
  const [, ...parts] = received().split(/\r\n[\da-f]+\r\n/);
  const complete = parts.join('').split('\n\n').slice(0, -1);
  const first = complete.flatMap((block) => /^id: (\w+)$/m.exec(block)?.[1] ?? []);
  expect(first.length).toBeLessThan(total);
  const rest = await resumeUntil(total - first.length, () => service, account, first.at(-1));
  const numbers = [...first, ...rest].map((id) => partsOfEventId(id).number);
  expect(numbers).toEqual(rows.map(({ number }) => number));
});

test('a stopping service ends all streams and waits at once, while it drains', async () => {
  const time = clock();
  const drain = 600_000;
  const service = await startService({ ...long, DRAIN_MS: String(drain) });
  const account = await newAccount(service);
  const kept = await open(service);
  kept.socket.write(requestOf(account.key));
  await once(kept.socket, 'data');
  const waiting = get(service, account, '/events?wait=30');
  const stream = await openStream(service, account);
  await stream.next();
  const stopped = service[Symbol.asyncDispose]();
  expect(await stream.rest()).toEqual([]);
  expect(await (await waiting).json()).toMatchObject({ data: [] });
  await vi.waitFor(() => expect(kept.received()).toMatch(/\r\n0\r\n\r\n$/), waitTimeout);
  const late = await openStream(service, account);
  expect([late.response.status, late.response.headers.get('connection')]).toEqual([200, 'close']);
  expect((await late.rest()).map((block) => Object.keys(block))).toEqual([['retry']]);
  expect(kept.socket.destroyed).toBe(false);
  time.forward(drain + 1);
  await stopped;
  await kept.closed;
});
