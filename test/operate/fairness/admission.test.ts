import { EventEmitter } from 'node:events';
import { accountActivity, type FairShares } from '@waybill/server/concurrency/fair-queue';
import {
  admitOperation,
  fileSlotsOf,
  measure,
  requestSharesOf,
  requestSlotsOf,
  type Slots,
} from '@waybill/server/operations/admission';
import { expect, test, vi } from 'vitest';
import { stopClock } from './stop-clock.ts';

interface Given {
  headers?: Record<string, string>;
  kind?: string;
}

/** A request whose response ends when the test says so. */
function requestOf(account: string, slots: Slots, { headers = {}, kind = 'getTracking' }: Given = {}) {
  const raw = Object.assign(new EventEmitter(), { closed: false });
  const socket = { bytesRead: 1_000_000, bytesWritten: 1_000_000 }; // of earlier requests
  const request = { headers, socket, busy: 0, waited: 0 };
  const entered = (async () => slots.waitForSlots(request as never, { raw } as never, account, kind))();
  let hasStarted = false;
  const start = (): void => {
    hasStarted = true;
  };
  entered.then(start, () => {});
  return {
    entered,
    request,
    hasStarted: () => hasStarted,
    /** What it has cost in the end: bytes, and milliseconds of the event loop. */
    end({ read = 0, written = 0, busy = 0 } = {}) {
      socket.bytesRead += read;
      socket.bytesWritten += written;
      request.busy += busy;
      raw.closed = true;
      raw.emit('close');
    },
  };
}

const newShares = (activity = accountActivity()): FairShares => requestSharesOf(activity, () => 0);
const newSlots = (timeout = 60_000): Slots => requestSlotsOf(newShares(), timeout);

/** The shares of accounts while another one is active, by a clock that only the test puts forward. */
function limitedShares(): FairShares {
  stopClock();
  const activity = accountActivity();
  activity.note('b');
  return newShares(activity);
}

/** Expects that the next request of an account starts so many milliseconds later, which are a multiple of the period. */
async function expectStart(slots: Slots, account: string, milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
  const next = requestOf(account, slots);
  await vi.advanceTimersByTimeAsync(milliseconds - 8);
  expect(next.hasStarted()).toBe(false);
  await vi.advanceTimersByTimeAsync(8);
  expect(next.hasStarted()).toBe(true);
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function turns(count = 4): Promise<void> {
  for (let n = 0; n < count; n++) await turn();
}

const requestsOf = (count: number, ...request: Parameters<typeof requestOf>) =>
  Array.from({ length: count }, () => requestOf(...request));
const startedOf = (requests: ReturnType<typeof requestsOf>): number =>
  requests.filter(({ hasStarted }) => hasStarted()).length;

/** A request of a kind that takes all slots of an account. */
const wholeShare: Given = { headers: { 'content-length': String(2 ** 20) } };

test('an account has at most 64 small requests in progress, and 1,000 that wait; a further one returns 429', async () => {
  const slots = newSlots();
  const requests = requestsOf(64, 'a', slots);
  await turns();
  requests.push(...requestsOf(1000, 'a', slots));
  await turns();
  expect(startedOf(requests)).toBe(64);
  const refused = { code: 'rate_limited', status: 429, headers: { 'Retry-After': '1' } };
  await expect(requestOf('a', slots).entered).rejects.toMatchObject(refused);
  requests[0]?.end();
  await turns();
  expect(requests[64]?.hasStarted()).toBe(true);
});

test('an account has at most 32 small requests in progress while another is active', async () => {
  const slots = newSlots();
  const requests = requestsOf(64, 'a', slots);
  await turns();
  requests.push(requestOf('a', slots));
  await requestOf('b', slots).entered;
  for (const request of requests.slice(0, 32)) request.end();
  await turns();
  expect(startedOf(requests)).toBe(64);
  requests[32]?.end();
  await turns();
  expect(startedOf(requests)).toBe(65);
});

test('so many requests start in one turn of the event loop that others are read in between', async () => {
  const slots = newSlots();
  const requests = requestsOf(100, 'a', slots);
  const other = requestOf('b', slots);
  await Promise.resolve();
  expect(startedOf(requests)).toBeLessThanOrEqual(32);
  await turn();
  expect([other.hasStarted(), startedOf(requests) < 100]).toEqual([true, true]);
});

test('measured work is charged to its request, also when it fails, and once when it is within another', () => {
  stopClock();
  const request = { busy: 1 };
  const work = (): void => {
    vi.advanceTimersByTime(5);
    throw new Error('no');
  };
  expect(measure(request, () => 'done')).toBe('done');
  expect(() => measure(request, work)).toThrow('no');
  expect(request.busy).toBe(6);
  measure(request, () => measure(request, () => void vi.advanceTimersByTime(3)));
  expect(request.busy).toBe(9);
});

test('requests whose limit no list has are of the kinds of valid ones', () => {
  const kinds: string[] = [];
  const admit = admitOperation('listShipments', {
    authenticateAndCount: () => ({ key: { accountId: 'a', scopes: ['shipments:read'] }, limitHeaders: {} }),
    requestSlots: { waitForSlots: (...[, , , kind]: Parameters<Slots['waitForSlots']>) => void kinds.push(kind) },
    visibility: { accessProblem: () => undefined },
  } as never);
  for (const limit of [undefined, '1', '1.5', '1e9', '-7', '0.001', 'x']) {
    const request = { headers: {}, query: { limit }, socket: {}, ip: '127.0.0.1' };
    admit.call({} as never, request as never, { headers: () => {} } as never, () => {});
  }
  expect(kinds).toEqual([25, 1, 1, 100, 0, 0, 0].map((count) => `listShipments ${count}`));
});

// An account uses six tenths of the time: 0.1 ms for each request, and for 4 kB that are parsed or 16 kB that are sent.
test.for<[what: string, cost: Parameters<ReturnType<typeof requestOf>['end']>[0], milliseconds: number]>([
  ['30 ms of the event loop', { busy: 30 }, 48],
  ['60 ms of the event loop', { busy: 60 }, 96],
  ['a body of 800 kB', { read: 819_200 }, 32],
  ['a response of 4 MB', { written: 4_000_000 }, 40],
])(
  'while others are active, a request that has taken %s delays the next one of its account',
  async ([, cost, milliseconds]) => {
    const slots = requestSlotsOf(limitedShares(), 60_000);
    requestOf('a', slots).end(cost);
    requestOf('b', slots).end();
    await expectStart(slots, 'a', milliseconds);
  },
);

test('an account that takes less than its share waits for nothing, whoever else is active', async () => {
  const slots = requestSlotsOf(limitedShares(), 60_000);
  for (let period = 0; period < 20; period++) {
    const request = requestOf('a', slots);
    await vi.advanceTimersByTimeAsync(0);
    expect(request.hasStarted()).toBe(true);
    request.end({ busy: 4.5 });
    await vi.advanceTimersByTimeAsync(8);
    requestOf('b', slots).end();
  }
});

test('the share of an account is a setting', async () => {
  const slots = requestSlotsOf(limitedShares(), 60_000);
  const endWith = (share: number | null): void => {
    const raw = new EventEmitter();
    const request = { headers: {}, socket: { bytesRead: 0, bytesWritten: 0 }, busy: 0, waited: 0 };
    void slots.waitForSlots(request as never, { raw } as never, 'a', 'getTracking', share);
    request.busy = 24;
    raw.emit('close');
  };
  endWith(20);
  await expectStart(slots, 'a', 120);
  await vi.advanceTimersByTimeAsync(8);
  endWith(null);
  await expectStart(slots, 'a', 40);
});

test('files, pages and other requests of an account have one share of the time', async () => {
  const shares = limitedShares();
  requestOf('a', fileSlotsOf(shares, 60_000)).end({ written: 1_600_000 });
  await expectStart(requestSlotsOf(shares, 60_000), 'a', 16);
});

test.for([
  [1_600_000, 16],
  [10 * 2 ** 20, 104],
  [Number.MAX_SAFE_INTEGER, 104], // it is refused without its bytes
] as const)(
  'beside others, an upload of %i bytes uses %i ms of the share before they arrive',
  async ([bytes, milliseconds]) => {
    const files = fileSlotsOf(limitedShares(), 60_000);
    requestOf('a', files, { headers: { 'content-length': String(bytes) } });
    await expectStart(files, 'a', milliseconds);
  },
);

test('requests have as many slots as the last ones of their kind have cost, first those of their account', async () => {
  const slots = newSlots();
  const request: Given = { kind: 'listShipments 100' };
  const endAll = async (requests: ReturnType<typeof requestsOf>, busy: number): Promise<void> => {
    for (const each of requests) {
      each.end({ busy });
      await turns();
    }
  };
  /** How many of four start at once. They cost as much as those before. */
  const startedOfFour = async (account: string, busy: number): Promise<number> => {
    const requests = requestsOf(4, account, slots, request);
    await turns();
    const started = startedOf(requests);
    await endAll(requests, busy);
    return started;
  };
  for (let n = 0; n < 2; n++) await endAll([requestOf('a', slots, request)], 50); // the first ones compile
  expect(await startedOfFour('a', 1.5)).toBe(4);
  for (let n = 0; n < 3; n++) await endAll([requestOf('a', slots, request)], 3.1);
  expect(await startedOfFour('a', 3.1)).toBe(2);
  // With another account that is active, each has 32 slots.
  expect(await startedOfFour('b', 3.1)).toBe(1);
});

test.for<[headers: Record<string, string>, beside: number]>([
  [{ 'content-length': '2000' }, 63],
  [{ 'content-length': '40960' }, 53],
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

test('a transfer of a file has the slots of the account of its signed URL, or else of its IP address', async () => {
  const fileSlots = { waitForSlots: vi.fn() };
  const accountOfFile = ({ file_token }: { file_token: string }) => (file_token === 'valid' ? 'a' : undefined);
  const admit = admitOperation('getProofFile', {
    accountOfFile,
    limit: { count: async () => ({}) },
    fileSlots,
  } as never);
  for (const file_token of ['valid', 'changed']) {
    const request = { ip: '192.0.2.1', socket: {}, params: { file_token } };
    const reply = { headers() {} };
    await new Promise((done) => void admit.call({} as never, request as never, reply as never, done as never));
  }
  expect(fileSlots.waitForSlots.mock.calls.map(([, , account]) => account)).toEqual(['a', '192.0.2.1']);
});

test('128 transfers of an account leave those of another a slot', async () => {
  const files = fileSlotsOf(newShares(), 60_000);
  const own = requestsOf(150, 'a', files);
  await turns(40);
  expect(startedOf(own)).toBe(128);
  const other = requestOf('b', files);
  await turns();
  expect(other.hasStarted()).toBe(true);
});

test('the time that a request has waited is known; one whose client has gone keeps no slots; a late one returns 503', async () => {
  stopClock();
  const slots = newSlots(60);
  const [first, second, gone, last, late] = requestsOf(5, 'a', slots, wholeShare);
  await vi.advanceTimersByTimeAsync(50);
  gone?.end();
  first?.end();
  await second?.entered;
  expect(second?.request.waited).toBe(50);
  second?.end();
  await turns();
  expect(last?.hasStarted()).toBe(true);
  const refused = expect(late?.entered).rejects.toMatchObject({ status: 503, code: 'unavailable' });
  await vi.advanceTimersByTimeAsync(10);
  await refused;
});
