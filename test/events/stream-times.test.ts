import { setImmediate } from 'node:timers/promises';
import type { EventFeed } from '@waybill/server/event-feed/feed';
import type { EventRow } from '@waybill/server/event-feed/queries';
import { eventBytes } from '@waybill/server/events/event';
import { sendEvents } from '@waybill/server/events/stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const row = (number: number, type: EventRow['type'] = 'shipment.created', size = 0): EventRow => ({
  number,
  created_at: new Date('2026-03-02T09:15:00.482Z'),
  type,
  shipment_id: null,
  data: { filler: 'x'.repeat(size) } as EventRow['data'],
});

/** A feed whose events the test provides. */
function testFeed() {
  let take: ((rows: EventRow[]) => void) | undefined;
  let reads = 0;
  let after = 0;
  const feed: EventFeed = {
    next: (_account, { number }, signal) =>
      new Promise((resolve) => {
        reads++;
        after = number;
        take = resolve;
        signal.addEventListener('abort', () => resolve([]));
      }),
    close: () => {},
    isClosed: () => false,
  };
  return { feed, send: (...rows: EventRow[]) => take?.(rows), reads: () => reads, after: () => after };
}

function start(types?: EventRow['type'][]) {
  const { feed, ...fed } = testFeed();
  const received: string[] = [];
  let taken = Promise.resolve();
  let stalled = (): void => {};
  const options = {
    feed,
    accountId: '',
    after: { number: 0 },
    stored: [],
    access: undefined,
    textOf: eventBytes,
    seconds: 300,
    log: { warn: () => {} },
  };
  let hasEnded = false;
  const ended = sendEvents(
    async (part, onStall) => {
      received.push(String(part));
      stalled = onStall;
      await taken;
    },
    { ...options, end: new AbortController().signal, types: types && new Set(types) },
  ).then(() => {
    hasEnded = true;
  });
  return {
    ...fed,
    ended,
    hasEnded: () => hasEnded,
    /** The client takes nothing until the returned function is called. */
    stall(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      taken = promise;
      return resolve;
    },
    /** Says that the client has taken nothing for a while. */
    reportStall: () => stalled(),
    /** Lets time pass, and returns what the stream has sent. */
    async pass(milliseconds: number): Promise<string[]> {
      await vi.advanceTimersByTimeAsync(milliseconds);
      await setImmediate();
      return received.splice(0);
    },
  };
}

test('a stream without events sends a comment every 15 seconds', async () => {
  const { pass, send } = start();
  expect(await pass(14_999)).toHaveLength(1); // the first bytes
  expect(await pass(1)).toEqual([': heartbeat\n\n']);
  expect(await pass(10_000)).toEqual([]);
  send(row(1));
  expect(await pass(14_999)).toHaveLength(1);
  expect(await pass(1)).toEqual([': heartbeat\n\n']);
});

test('in place of a comment, a stream sends the position after events that types leaves out', async () => {
  const { pass, send } = start(['shipment.cancelled']);
  await pass(5000);
  send(row(7));
  expect(await pass(9999)).toEqual([]);
  const [block = '', ...others] = await pass(1);
  expect([block, others]).toEqual([expect.stringMatching(/^id: evt_\w{26}\n\n$/), []]);
  expect(await pass(15_000)).toEqual([': heartbeat\n\n']);
});

test('a stream ends after its time', async () => {
  const { hasEnded, pass, ended } = start();
  await pass(299_999);
  expect(hasEnded()).toBe(false);
  await pass(1);
  await ended;
});

const rows = (first: number, last: number): EventRow[] =>
  Array.from({ length: last - first + 1 }, (_, index) => row(first + index, 'shipment.created', 1000));
const idsIn = (parts: string[]): number => parts.join('').match(/^id: /gm)?.length ?? 0;

test('events that are read together are sent in parts, and none is read before they are taken', async () => {
  const { send, reads, stall, pass } = start();
  await pass(0);
  const before = reads();
  const take = stall();
  send(...rows(1, 200));
  for (let turn = 0; turn < 3; turn++) await pass(60_000);
  expect(reads()).toBe(before);
  take();
  await pass(0);
  expect(reads()).toBe(before + 1);
});

test('events that a stalled client has not taken are dropped, and read again from the last one that was sent', async () => {
  const { send, after, stall, reportStall, pass } = start();
  await pass(0);
  const take = stall();
  send(...rows(1, 200));
  const sent = idsIn(await pass(1000));
  expect(sent).toBeLessThan(30); // 16 KiB
  reportStall();
  take();
  expect(await pass(0)).toEqual([]);
  expect(after()).toBe(sent);
  send(...rows(sent + 1, 200));
  expect(idsIn(await pass(0))).toBe(200 - sent);
});
