import type { EventPage } from '@waybill/client';
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

/** Waits for a next event. A stream that `streamIsRefused` opens may take its place first. */
async function waitForEvents({ baseUrl }: Server, { key }: Key, after = '', signal?: AbortSignal): Promise<Response> {
  for (;;) {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${baseUrl}/events?wait=30${after}`, { headers, ...(signal && { signal }) });
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
  const { data, next_after } = (await (await waiting).json()) as EventPage;
  expect(data).toMatchObject([{ data: { shipment: { id } } }]);

  // Whatever ends a reader, another one may take its place: that of the wait, while the first stream goes on.
  const canOpen = (): Promise<void> =>
    vi.waitFor(async () => {
      await using stream = await openStream(service, account);
      expect(stream.response.status).toBe(200);
    }, waitTimeout);
  await canOpen();
  await canOpen();
  const headers = { authorization: `Bearer ${account.key}` };
  await fetch(`${service.baseUrl}/events/stream`, { method: 'HEAD', headers });
  await canOpen();
  const controller = new AbortController();
  const aborted = waitForEvents(service, account, `&after=${next_after}`, controller.signal).catch(() => {});
  await streamIsRefused(service, account);
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
