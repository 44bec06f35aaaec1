import { limitReaders } from '@waybill/server/auth/readers';
import { expect, vi } from 'vitest';
import { get, problemOf } from '../fixtures/http.ts';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { openStream } from './read-stream.ts';

type Server = { baseUrl: string };
type Key = { key: string };

/** Waits for events. A stream that `streamIsRefused` opens may take its place first. */
async function waitForEvents({ baseUrl }: Server, { key }: Key, signal?: AbortSignal): Promise<Response> {
  for (;;) {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${baseUrl}/events?wait=30`, { headers, ...(signal && { signal }) });
    if (response.status !== 429) return response;
    await response.body?.cancel();
  }
}

async function streamIsRefused(service: Server, account: Key): Promise<void> {
  await using stream = await openStream(service, account); // one that is not refused ends here
  expect(stream.response.status).toBe(429);
}

const long = { EVENT_STREAM_SECONDS: '600' };

test('a key has at most EVENT_STREAMS_PER_KEY streams and waiting requests', async () => {
  notWithCluster('each instance has its own limit');
  await using service = await startService({ ...long, EVENT_STREAMS_PER_KEY: '2' });
  const account = await newAccount(service);
  await using first = await openStream(service, account);
  await first.next();
  const waiting = waitForEvents(service, account);
  await vi.waitFor(() => streamIsRefused(service, account), waitTimeout);
  const refused = async (path: string) => {
    const response = await get(service, account, path);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await problemOf(response)).toMatchObject({
      status: 429,
      code: 'too_many_streams',
      detail: 'The key has 2 streams and waiting requests.',
    });
  };
  await refused('/events?wait=30');
  await refused('/events/stream');
  await using other = await openStream(service, { key: await account.keyWith(['events:read']) });
  expect(other.response.status).toBe(200);
  expect((await get(service, account, '/events')).status).toBe(200);
  await newShipment(account);
  expect((await waiting).status).toBe(200);
});

test('one account has at most three quarters of MAX_EVENT_STREAMS', async () => {
  notWithCluster('each instance has its own limit');
  await using service = await startService({ ...long, MAX_EVENT_STREAMS: '4' });
  const [account, other] = [await newAccount(service), await newAccount(service)];
  const otherKey = { key: await account.keyWith(['events:read']) };
  await using _first = await openStream(service, account);
  await using _second = await openStream(service, account);
  await using _third = await openStream(service, otherKey);
  expect(await problemOf(await get(service, otherKey, '/events/stream'))).toMatchObject({
    status: 429,
    code: 'too_many_streams',
    detail: 'The account has 3 streams and waiting requests.',
  });
  await using fourth = await openStream(service, other);
  expect(fourth.response.status).toBe(200);
});

test('further streams of all keys than MAX_EVENT_STREAMS return 503', async () => {
  notWithCluster('each instance has its own limit');
  await using service = await startService({ ...long, MAX_EVENT_STREAMS: '2' });
  const accounts = [await newAccount(service), await newAccount(service), await newAccount(service)] as const;
  await using _first = await openStream(service, accounts[0]);
  await using _second = await openStream(service, accounts[1]);
  for (const path of ['/events/stream', '/events?wait=1']) {
    const response = await get(service, accounts[2], path);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await problemOf(response)).toMatchObject({ status: 503, code: 'unavailable' });
  }
});

/** The ends of a reader that must be counted down. */
const ends: Record<string, (service: Server, account: Key) => Promise<unknown>> = {
  'its time': async (service, account) => (await openStream(service, account)).rest(),
  'a disconnection': async (service, account) => {
    await using stream = await openStream(service, account);
    await stream.next();
  },
  HEAD: ({ baseUrl }, { key }) =>
    fetch(`${baseUrl}/events/stream`, { method: 'HEAD', headers: { authorization: `Bearer ${key}` } }),
  'a wait without events': async (service, account) => (await get(service, account, '/events?wait=1')).text(),
  'a disconnected wait': async (service, account) => {
    const controller = new AbortController();
    const waiting = waitForEvents(service, account, controller.signal).catch(() => {});
    await vi.waitFor(() => streamIsRefused(service, account), waitTimeout);
    controller.abort();
    await waiting;
  },
};

test.for(Object.keys(ends))('after %s a key can open another stream', async (name) => {
  // Only the time of the stream may end one.
  const seconds = name === 'its time' ? '1' : '600';
  await using service = await startService({ EVENT_STREAM_SECONDS: seconds, EVENT_STREAMS_PER_KEY: '1' });
  const account = await newAccount(service);
  await ends[name]?.(service, account);
  await vi.waitFor(async () => {
    await using stream = await openStream(service, account);
    expect(stream.response.status).toBe(200);
  }, waitTimeout);
});

test('the streams of links take none of those of keys', () => {
  const readers = limitReaders(10, 4, () => () => {});
  for (const kind of ['acc', 'key']) {
    for (let n = 0; n < 3; n++) readers.open('account', `${kind}_${n}`);
    expect(() => readers.open('account', `${kind}_3`)).toThrow('The account has 3 streams');
  }
  expect(readers.count()).toBe(6);
});
