import { setImmediate } from 'node:timers/promises';
import type { EventFeed } from '@waybill/server/event-feed/feed';
import type { EventRow } from '@waybill/server/event-feed/queries';
import { eventBytes } from '@waybill/server/events/event';
import { sendEvents } from '@waybill/server/events/stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** The events with these numbers, each of more than 1,000 bytes. */
const rows = (first: number, last = first): EventRow[] =>
  Array.from({ length: last - first + 1 }, (_, index) => ({
    ...{ number: first + index, created_at: new Date('2026-03-02T09:15:00.482Z'), type: 'shipment.created' },
    ...{ shipment_id: null, data: { filler: 'x'.repeat(1000) } as EventRow['data'] },
  }));

/** Starts a stream whose events the test provides. */
function start(types?: EventRow['type'][]) {
  let send = (_rows: EventRow[]): void => {};
  /** The positions after which events were read. */
  const reads: number[] = [];
  const feed: EventFeed = {
    next: (_account, { number }, _signal, until = 0) =>
      new Promise((resolve) => {
        reads.push(number);
        send = resolve;
        setTimeout(resolve, until - performance.now(), []);
      }),
    close() {},
    isClosed: () => false,
  };
  const received: string[] = [];
  let taken = Promise.resolve();
  /** Says that the client has taken nothing for a while. */
  let reportStall = (): void => {};
  const onEnd = vi.fn();
  const write = async (part: Buffer | string, onStall: () => void): Promise<void> => {
    received.push(String(part));
    reportStall = onStall;
    await taken;
  };
  const { signal: end } = new AbortController();
  void sendEvents(write, {
    ...{ feed, accountId: '', after: { number: 0 }, access: undefined, textOf: eventBytes, seconds: 290, end },
    ...{ log: { warn() {} }, types: types && new Set(types) },
  }).then(onEnd);
  return {
    ...{ onEnd, reads, reportStall: () => reportStall(), send: (...rows: EventRow[]) => send(rows) },
    /** The client takes nothing until the returned function is called. */
    stall(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      taken = promise;
      return resolve;
    },
    /** Lets time pass, and returns what the stream has sent. */
    async pass(milliseconds: number): Promise<string[]> {
      await vi.advanceTimersByTimeAsync(milliseconds);
      await setImmediate();
      return received.splice(0);
    },
  };
}

const heartbeat = ': heartbeat\n\n';
const position = expect.stringMatching(/^id: evt_\w{26}\n\n$/);

test('a stream without events sends a comment every 15 seconds, and ends after its time', async () => {
  const { pass, send, onEnd } = start();
  expect(await pass(14_999)).toHaveLength(1); // the first bytes
  expect(await pass(1)).toEqual([heartbeat]);
  expect(await pass(10_000)).toEqual([]);
  send(...rows(1));
  expect(await pass(14_999)).toHaveLength(1);
  expect(await pass(1)).toEqual([heartbeat]);
  await pass(249_999);
  expect(onEnd).not.toHaveBeenCalled();
  await pass(1);
  expect(onEnd).toHaveBeenCalled();
});

test('in place of a comment, and at its end, a stream sends the position after events that types leaves out', async () => {
  const { pass, send, onEnd } = start(['shipment.cancelled']);
  await pass(5000);
  send(...rows(7));
  expect(await pass(9999)).toEqual([]);
  expect(await pass(1)).toEqual([position]);
  expect(await pass(15_000)).toEqual([heartbeat]);
  await pass(259_999);
  send(...rows(8));
  expect(await pass(1)).toEqual([position]);
  expect(onEnd).toHaveBeenCalled();
});

const idsIn = (parts: string[]): number => parts.join('').match(/^id: /gm)?.length ?? 0;

test('events that are read together are sent in parts, and those of a stalled client dropped and read again', async () => {
  const { send, reads, stall, reportStall, pass } = start();
  await pass(0);
  const take = stall();
  send(...rows(1, 200));
  const sent = idsIn(await pass(1000));
  expect(sent).toBeLessThan(30); // 16 KiB
  for (let turn = 0; turn < 3; turn++) await pass(60_000);
  expect(reads).toEqual([0]); // none is read before these are taken
  reportStall();
  take();
  expect(idsIn(await pass(0))).toBe(0);
  expect(reads).toEqual([0, sent]);
  send(...rows(sent + 1, 200));
  expect(idsIn(await pass(0))).toBe(200 - sent);
  expect(reads).toEqual([0, sent, 200]);
});
