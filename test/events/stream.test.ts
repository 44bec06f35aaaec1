import type { EventPage } from '@waybill/client';
import { disableAccount, revokeKey } from '@waybill/server/auth/administration';
import { limitReaders } from '@waybill/server/auth/readers';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { newAccess } from '../api/access/accesses.ts';
import { open } from '../fixtures/requests/raw-http.ts';
import { get, problemOf } from '../fixtures/requests/send.ts';
import { notWithCluster } from '../fixtures/service/not-with-cluster.ts';
import { type Service, startService } from '../fixtures/service/service.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { newAccount, perFile, type TestAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { openStream, startWithLongStreams, testWithLongStreams } from './read-stream.ts';

const test = testWithLongStreams.extend<{ $file: { second: Service } }>({ second: perFile(startWithLongStreams) });

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

/** Ends a key or an access. */
type End = (given: { service: Service; account: TestAccount; id: string; shipment_id: string }) => unknown;

const disable: End = ({ service: { db }, account: { id } }) => disableAccount(db, id);
const past = sql`expires_at = now() - interval '1 second'`;
const ends: Record<string, End> = {
  'the revocation of a key': ({ service: { db }, account, id }) => revokeKey(db, account.id, id),
  'the expiry of a key': ({ service: { db }, id }) => sql`update api_keys set ${past} where key_id = ${id}`.execute(db),
  'the end of the account of a key': disable,
  'the revocation of an access': ({ account: { client }, id, ...path }) =>
    client.deleteAccess({ shipment_id: path.shipment_id, access_id: id }),
  'the expiry of an access': ({ service: { db }, account: { id } }) =>
    sql`update accesses set ${past} where account_id = ${id}`.execute(db),
  'the end of the account of an access': disable,
};

test.for(Object.keys(ends))(
  '%s ends its streams and waits on all instances, and no others',
  async (what, { service, second, account }) => {
    const isKey = what.endsWith('key');
    const shipment = await newShipment(account);
    const newKey = async () => {
      const key = await account.keyWith(['events:read']);
      return { token: key, id: key.split('_')[1] ?? '' };
    };
    const { token: key, id } = isKey ? await newKey() : await newAccess(account, shipment);
    await using other = await openStream(service, account);
    const [created] = await other.events(1);
    const streams = [await openStream(service, { key }), await openStream(second, { key })];
    // An access has no list of events.
    const waiting = isKey ? [get(second, { key }, `/events?wait=30&after=${created?.id}`)] : [];
    for (const { next } of streams) await next();
    if (isKey) for (const stream of streams) await stream.events(1);
    await ends[what]?.({ service, account, id, shipment_id: shipment.id });
    expect(await Promise.all(streams.map(({ rest }) => rest()))).toEqual([[], []]);
    // Also the cache does not accept it any more.
    const later = [service, second].map((each) => get(each, { key }, '/events'));
    for (const response of await Promise.all([...waiting, ...later]))
      expect(await problemOf(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
    if (ends[what] === disable) return expect(await other.rest()).toEqual([]);
    await newShipment(account);
    await other.events(1);
  },
);

type Server = { baseUrl: string };
type Key = { key: string };

/** Waits for a next event. A stream that `streamReturns` opens may take its place first. */
async function waitForEvents({ baseUrl }: Server, { key }: Key, after = '', signal?: AbortSignal): Promise<Response> {
  for (;;) {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${baseUrl}/events?wait=30${after}`, { headers, ...(signal && { signal }) });
    if (response.status !== 429) return response;
    await response.body?.cancel();
  }
}

/** Opens streams, which end here, until one has the status. */
const streamReturns = (status: 200 | 429, service: Server, account: Key): Promise<void> =>
  vi.waitFor(async () => {
    await using stream = await openStream(service, account);
    expect(stream.response.status).toBe(status);
  }, waitTimeout);

test('a key, an account and an instance have limits of streams and waiting requests', async () => {
  notWithCluster('each instance has its own limit');
  const limits = { EVENT_STREAMS_PER_KEY: '2', MAX_EVENT_STREAMS: '4' };
  await using service = await startService({ ...limits, EVENT_STREAM_SECONDS: '600' });
  const account = await newAccount(service);
  const newKey = async () => ({ key: await account.keyWith(['events:read']) });
  const refused = async (who: Key, status: number, code: string, detail: string): Promise<void> => {
    for (const path of ['/events?wait=30', '/events/stream']) {
      const response = await get(service, who, path);
      expect(response.headers.get('retry-after')).toBe('5');
      expect(await problemOf(response)).toMatchObject({ status, code, detail });
    }
  };
  await using first = await openStream(service, account);
  await first.next();
  const waiting = waitForEvents(service, account);
  await streamReturns(429, service, account);
  await refused(account, 429, 'too_many_streams', 'The key has 2 streams and waiting requests.');
  await using third = await openStream(service, await newKey());
  expect(third.response.status).toBe(200);
  // Three quarters of the instance.
  await refused(await newKey(), 429, 'too_many_streams', 'The account has 3 streams and waiting requests.');
  await using fourth = await openStream(service, await newAccount(service));
  expect(fourth.response.status).toBe(200);
  const full = 'The service has too many streams and waiting requests.';
  await refused(await newAccount(service), 503, 'unavailable', full);
  expect((await get(service, account, '/events')).status).toBe(200);
  const { id } = await newShipment(account);
  const { data, next_after } = (await (await waiting).json()) as EventPage;
  expect(data).toMatchObject([{ data: { shipment: { id } } }]);

  // Whatever ends a reader, another one may take its place: that of the wait, while the first stream goes on.
  const canOpen = () => streamReturns(200, service, account);
  await canOpen();
  await canOpen();
  const headers = { authorization: `Bearer ${account.key}` };
  await fetch(`${service.baseUrl}/events/stream`, { method: 'HEAD', headers });
  await canOpen();
  const controller = new AbortController();
  const aborted = waitForEvents(service, account, `&after=${next_after}`, controller.signal).catch(() => {});
  await streamReturns(429, service, account);
  controller.abort();
  await aborted;
  await canOpen();
});

test('the streams of links take none of those of keys', () => {
  const readers = limitReaders(10, 4, () => () => {});
  for (const kind of ['acc', 'key']) {
    for (let n = 0; n < 3; n++) readers.open('account', `${kind}_${n}`);
    expect(() => readers.open('account', `${kind}_3`)).toThrow('The account has 3 streams');
  }
  expect(readers.count()).toBe(6);
});
