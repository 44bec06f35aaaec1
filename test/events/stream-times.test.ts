import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { EventFeed } from '@waybill/server/event-feed/feed';
import type { EventRow } from '@waybill/server/event-feed/queries';
import { eventStream } from '@waybill/server/events/stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const row = (position: number, type: EventRow['type'] = 'shipment.created', size = 0): EventRow => ({
  ...{ position: BigInt(position), created_at: new Date('2026-03-02T09:15:00.482Z'), type },
  data: { filler: 'x'.repeat(size) } as EventRow['data'],
});

/** A feed whose events the test provides. */
function testFeed() {
  let take: ((rows: EventRow[]) => void) | undefined;
  let reads = 0;
  const feed: EventFeed = {
    next: (_account, _after, signal) =>
      new Promise((resolve) => {
        reads++;
        take = resolve;
        signal.addEventListener('abort', () => resolve([]));
      }),
    wake: () => {},
    close: () => {},
    isClosed: () => false,
  };
  return { feed, send: (...rows: EventRow[]) => take?.(rows), reads: () => reads };
}

function start(types?: string[]) {
  const { feed, send, reads } = testFeed();
  const disconnected = new AbortController().signal;
  const stream = Readable.from(
    eventStream({
      ...{ feed, accountId: '', after: 0n, stored: [], seconds: 300, disconnected, onError: () => {} },
      types: types && new Set(types),
    }),
  );
  const received: string[] = [];
  return {
    stream,
    send,
    reads,
    received,
    read: () => stream.on('data', (part) => received.push(String(part))),
    /** Lets time pass, and returns what the stream has sent. */
    async pass(milliseconds: number): Promise<string[]> {
      await vi.advanceTimersByTimeAsync(milliseconds);
      await setImmediate();
      return received.splice(0);
    },
  };
}

test('a stream without events sends a comment every 15 seconds', async () => {
  const { read, pass, send } = start();
  read();
  expect(await pass(14_999)).toHaveLength(1); // the first bytes
  expect(await pass(1)).toEqual([': heartbeat\n\n']);
  expect(await pass(10_000)).toEqual([]);
  send(row(1));
  expect(await pass(14_999)).toHaveLength(1);
  expect(await pass(1)).toEqual([': heartbeat\n\n']);
});

test('in place of a comment, a stream sends the position after events that types leaves out', async () => {
  const { read, pass, send } = start(['shipment.cancelled']);
  read();
  await pass(5000);
  send(row(7));
  expect(await pass(9999)).toEqual([]);
  const [block = '', ...others] = await pass(1);
  expect([block, others]).toEqual([expect.stringMatching(/^id: evt_\w{26}\n\n$/), []]);
  expect(await pass(15_000)).toEqual([': heartbeat\n\n']);
});

test('a stream ends after its time', async () => {
  const { stream, read, pass } = start();
  read();
  await pass(299_999);
  expect(stream.readableEnded).toBe(false);
  await pass(1);
  expect(stream.readableEnded).toBe(true);
});

test('events that are read together are sent in parts, and a stream reads no further ones before they are taken', async () => {
  const { stream, send, reads, pass } = start();
  stream.read(0);
  await pass(0);
  stream.read(); // the first bytes
  await pass(0);
  const first = reads();
  send(...Array.from({ length: 200 }, (_, index) => row(index + 1, 'shipment.created', 1000)));
  for (let turn = 0; turn < 3; turn++) await pass(60_000);
  expect(stream.readableLength).toBeLessThanOrEqual(2);
  expect(reads()).toBe(first);
  const text = (await stream.take(13).toArray()).join('');
  expect(text.match(/^id: /gm)?.length).toBeGreaterThan(180);
});
