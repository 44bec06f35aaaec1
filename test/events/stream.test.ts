import { sql } from 'kysely';
import { expect } from 'vitest';
import { get, problemOf } from '../fixtures/http.ts';
import { open } from '../fixtures/raw-http.ts';
import type { Service } from '../fixtures/service.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount } from '../fixtures/test.ts';
import { openStream, testWithLongStreams as test } from './read-stream.ts';

test('a stream sends the stored events, then new ones, as listEvents returns them', async ({ service, account }) => {
  await shipmentIn(account, 'cancelled');
  await using stream = await openStream(service, account);
  expect(stream.response.status).toBe(200);
  expect(Object.fromEntries(stream.response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const { retry, ...others } = (await stream.next()) ?? {};
  expect([Number(retry) >= 1000, Number(retry) <= 3000, others]).toEqual([true, true, {}]);
  const first = await stream.events(2);
  await shipmentIn(account, 'dispatched');
  const all = [...first, ...(await stream.events(2))];
  expect(all).toEqual((await account.client.listEvents()).data);
  const types = ['shipment.created', 'shipment.cancelled', 'shipment.created', 'tracking.status_reached'];
  expect(all.map(({ type }) => type)).toEqual(types);
});

test('a stream continues after `after` or, before that, Last-Event-ID, and leaves out other types', async ({
  service,
  account,
}) => {
  for (let count = 0; count < 3; count++) await newShipment(account);
  await shipmentIn(account, 'cancelled');
  const [first, second, third, , cancelled] = (await account.client.listEvents()).data;
  const query = `after=${first?.id}`;
  await using after = await openStream(service, account, { query });
  expect(await after.events(2)).toEqual([second, third]);
  await using resumed = await openStream(service, account, { query, lastEventId: second?.id });
  expect(await resumed.events(1)).toEqual([third]);
  await using filtered = await openStream(service, account, { query: `${query}&types=shipment.cancelled` });
  expect(await filtered.events(1)).toEqual([cancelled]);
});

test('a connection is free after HEAD of a stream, and after a stream', async ({ sharedService, account }) => {
  const { socket, received, responses } = await open(sharedService); // its streams end after a second
  const headers = `HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${account.key}\r\n\r\n`;
  socket.write(`HEAD /v1/events/stream ${headers}GET /v1/events ${headers}`);
  await responses(2);
  expect(received()).toMatch(/content-type: text\/event-stream/);
  expect(received()).not.toContain('retry:');
  socket.write(`GET /v1/events/stream ${headers}GET /v1/events ${headers}`);
  await responses(4);
  expect(received()).toMatch(/retry: .*\r\n0\r\n\r\nHTTP\/1.1 200.*"next_after":null/s);
  socket.destroy();
});

const expired = { status: 410, code: 'events_expired' };

async function areExpired(service: Service, account: TestAccount, after: string): Promise<void> {
  for (const path of ['/events?', '/events?wait=30&', '/events?types=shipment.created&', '/events/stream?'])
    expect(await problemOf(await get(service, account, `${path}after=${after}`)), path).toMatchObject(expired);
}

test('readers after an event end when it is lost, and get 410 as for one of another account', async ({
  service,
  account,
}) => {
  for (let count = 0; count < 3; count++) await newShipment(account);
  await using stream = await openStream(service, account);
  const [, kept, last] = (await stream.events(3)).map(({ id }) => id);
  const waiting = get(service, account, `/events?wait=30&after=${last}`);
  const ofAccount = sql`where account_id = ${account.id}`;
  await sql`delete from events ${ofAccount} and number = (select max(number) from events ${ofAccount})`.execute(
    service.db,
  );
  expect(await stream.rest()).toEqual([]);
  expect(await problemOf(await waiting)).toMatchObject(expired);
  await areExpired(service, account, String(last));
  await areExpired(service, await newAccount(service), String(kept));
  const { data, next_after } = await account.client.listEvents();
  expect([data.length, next_after]).toEqual([2, kept]);
  // A later event has taken its number.
  await sql`update events set created_at = now() + interval '1 second' ${ofAccount}`.execute(service.db);
  await areExpired(service, account, String(kept));
});
