import { EventEmitter } from 'node:events';
import { accountActivity, type FairShares } from '@waybill/server/concurrency/fair-queue';
import { fileSlotsOf, requestSharesOf, requestSlotsOf, type Slots } from '@waybill/server/operations/admission';
import { expect, test, vi } from 'vitest';
import { stopClock } from './stop-clock.ts';

type Given = { headers?: Record<string, string>; kind?: string; share?: number | null };

/** A request whose response ends when the test says so. */
function requestOf(account: string, slots: Slots, { headers = {}, kind = 'getTracking', share }: Given = {}) {
  const raw = Object.assign(new EventEmitter(), { closed: false });
  const socket = { bytesRead: 1_000_000, bytesWritten: 1_000_000 }; // of earlier requests
  const request = { headers, socket, busy: 0, waited: 0 };
  const entered = (async () => slots.waitForSlots(request as never, { raw } as never, account, kind, share))();
  const made = {
    entered,
    request,
    hasStarted: false,
    /** What it has cost in the end: bytes, and milliseconds of the event loop. */
    end({ read = 0, written = 0, busy = 0 } = {}) {
      socket.bytesRead += read;
      socket.bytesWritten += written;
      request.busy += busy;
      raw.closed = true;
      raw.emit('close');
    },
  };
  entered.then(
    () => Object.assign(made, { hasStarted: true }),
    () => {},
  );
  return made;
}

const newShares = (activity = accountActivity()): FairShares => requestSharesOf(activity, () => 0);
const newSlots = (timeout = 60_000): Slots => requestSlotsOf(newShares(), timeout);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function turns(count = 4): Promise<void> {
  for (let n = 0; n < count; n++) await turn();
}

const requestsOf = (count: number, ...request: Parameters<typeof requestOf>) =>
  Array.from({ length: count }, () => requestOf(...request));
const startedOf = (requests: ReturnType<typeof requestsOf>): number =>
  requests.filter(({ hasStarted }) => hasStarted).length;

test('an account has at most 64 small requests in progress, and 1,000 that wait; a further one returns 429', async () => {
  const slots = newSlots();
  const requests = requestsOf(64, 'a', slots);
  await Promise.resolve();
  expect(startedOf(requests)).toBeLessThanOrEqual(32); // others are read in between
  await turns();
  requests.push(...requestsOf(1000, 'a', slots));
  await turns();
  expect(startedOf(requests)).toBe(64);
  const refused = { code: 'rate_limited', status: 429, headers: { 'Retry-After': '1' } };
  await expect(requestOf('a', slots).entered).rejects.toMatchObject(refused);
  requests[0]?.end();
  await turns();
  expect(requests[64]?.hasStarted).toBe(true);
});

/** Slots of requests and of files that share the time. */
interface Both {
  requests: Slots;
  files: Slots;
}

const upload = ({ files }: Both, bytes: number): void =>
  void requestOf('a', files, { headers: { 'content-length': String(bytes) } });

// An account uses six tenths of the time: 0.1 ms for each request, and for 4 kB that are parsed or 16 kB that are sent.
test.for<[what: string, milliseconds: number, work: (slots: Both) => void]>([
  ['a request of 30 ms of the event loop', 48, ({ requests }) => requestOf('a', requests).end({ busy: 30 })],
  ['a body of 800 kB', 32, ({ requests }) => requestOf('a', requests).end({ read: 819_200 })],
  ['a response of 4 MB', 40, ({ requests }) => requestOf('a', requests).end({ written: 4_000_000 })],
  ['a file of 1.6 MB, which is sent', 16, ({ files }) => requestOf('a', files).end({ written: 1_600_000 })],
  ['a file of 10 MiB, before it arrives', 104, (slots) => upload(slots, 10 * 2 ** 20)],
  ['a file that is refused without its bytes', 208, (slots) => upload(slots, Number.MAX_SAFE_INTEGER)],
])('while others are active, %s delays the next request of its account by %i ms', async ([, milliseconds, work]) => {
  stopClock(); // only the test puts it forward
  const activity = accountActivity();
  activity.note('b');
  const shares = newShares(activity);
  const requests = requestSlotsOf(shares, 60_000);
  work({ requests, files: fileSlotsOf(shares, 60_000) });
  await vi.advanceTimersByTimeAsync(0);
  const next = requestOf('a', requests);
  await vi.advanceTimersByTimeAsync(milliseconds - 8); // a period
  expect(next.hasStarted).toBe(false);
  await vi.advanceTimersByTimeAsync(8);
  expect(next.hasStarted).toBe(true);
});

test('requests have as many slots as the last ones of their kind have cost, first those of their account', async () => {
  const slots = newSlots();
  /** How many requests start at once. They are of one kind, and cost so much. */
  const started = async (count: number, account: string, busy: number): Promise<number> => {
    const requests = requestsOf(count, account, slots, { kind: 'listShipments 100' });
    await turns();
    const found = startedOf(requests);
    for (const request of requests) {
      request.end({ busy });
      await turns();
    }
    return found;
  };
  for (const busy of [50, 50]) await started(1, 'a', busy); // the first ones compile
  expect(await started(4, 'a', 1.5)).toBe(4);
  for (const busy of [3.1, 3.1, 3.1]) await started(1, 'a', busy);
  expect(await started(4, 'a', 3.1)).toBe(2);
  // With another account that is active, each has 32 slots.
  expect(await started(4, 'b', 3.1)).toBe(1);
});

test.for<[headers: Record<string, string>, beside: number]>([
  [{ 'content-length': '2000' }, 63],
  [{ 'content-length': '1048576' }, 0],
  [{ 'transfer-encoding': 'chunked' }, 0],
])('beside a request with %j, %i small ones of its account are in progress', async ([headers, beside]) => {
  const slots = newSlots();
  requestOf('a', slots, { headers });
  await turns();
  const others = requestsOf(64, 'a', slots);
  await turns();
  expect(startedOf(others)).toBe(beside);
});

test('128 transfers of an account leave those of another a slot', async () => {
  const files = fileSlotsOf(newShares(), 60_000);
  const own = requestsOf(150, 'a', files);
  await turns(40);
  expect(startedOf(own)).toBe(128);
  const other = requestOf('b', files);
  await turns();
  expect(other.hasStarted).toBe(true);
});

test('the time that a request has waited is known; one whose client has gone keeps no slots; a late one returns 503', async () => {
  stopClock();
  const slots = newSlots(60);
  const wholeShare = { headers: { 'content-length': String(2 ** 20) } };
  const [first, second, gone, last, late] = requestsOf(5, 'a', slots, wholeShare);
  await vi.advanceTimersByTimeAsync(50);
  gone?.end();
  first?.end();
  await second?.entered;
  expect(second?.request.waited).toBe(50);
  second?.end();
  await turns();
  expect(last?.hasStarted).toBe(true);
  const refused = expect(late?.entered).rejects.toMatchObject({ status: 503, code: 'unavailable' });
  await vi.advanceTimersByTimeAsync(10);
  await refused;
});
