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

const streamIsRefused = (service: Server, account: Key): Promise<void> =>
  vi.waitFor(async () => {
    await using stream = await openStream(service, account); // one that is not refused ends here
    expect(stream.response.status).toBe(429);
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
  await streamIsRefused(service, account);
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
  expect(await (await waiting).json()).toMatchObject({ data: [{ data: { shipment: { id } } }] });
});

type End = (service: Server, account: Key) => Promise<unknown>;

/** The ends of a reader that must be counted down. Only the time of the first stream may end one. */
test.for<[string, seconds: string, end: End]>([
  ['its time', '1', async (service, account) => (await openStream(service, account)).rest()],
  [
    'disconnections, HEAD and a wait without events',
    '600',
    async (service, account) => {
      const canOpen = () =>
        vi.waitFor(async () => {
          await using stream = await openStream(service, account);
          expect(stream.response.status).toBe(200);
          await stream.next();
        }, waitTimeout);
      await canOpen();
      await canOpen();
      const headers = { authorization: `Bearer ${account.key}` };
      await fetch(`${service.baseUrl}/events/stream`, { method: 'HEAD', headers });
      await canOpen();
      await vi.waitFor(async () => {
        expect((await get(service, account, '/events?wait=1')).status).toBe(200);
      }, waitTimeout);
      await canOpen();
      const controller = new AbortController();
      const waiting = waitForEvents(service, account, controller.signal).catch(() => {});
      await streamIsRefused(service, account);
      controller.abort();
      await waiting;
    },
  ],
])('after %s a key can open another stream', async ([, EVENT_STREAM_SECONDS, end]) => {
  await using service = await startService({ EVENT_STREAM_SECONDS, EVENT_STREAMS_PER_KEY: '1' });
  const account = await newAccount(service);
  await end(service, account);
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
