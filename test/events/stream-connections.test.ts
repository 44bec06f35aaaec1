import { once } from 'node:events';
import { partsOfEventId } from '@waybill/server/events/event';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { clock } from '../fixtures/clock.ts';
import { open } from '../fixtures/raw-http.ts';
import { startService } from '../fixtures/service.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { changeLimits, changeTimes } from './change-times.ts';
import { openStream, resumeUntil } from './read-stream.ts';

const long = { EVENT_STREAM_SECONDS: '600' };

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
    insert into events (account_id, position, created_at, type, shipment_id, data)
    select ${account.id}, nextval('event_positions'), now(), 'tracking.eta_changed', gen_random_uuid(),
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
  const { rows } = await sql<{ position: string }>`
    select position from events where account_id = ${account.id} order by position`.execute(service.db);
  const positions = [...first, ...rest].map((id) => String(partsOfEventId(id).position));
  expect(positions).toEqual(rows.map(({ position }) => position));
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
