import { EventEmitter } from 'node:events';
import { accountActivity } from '@waybill/server/concurrency/fair-queue';
import {
  type FileSlots,
  fileSlotsOf,
  type RequestSlots,
  requestCost,
  requestSlotsOf,
  requestWeight,
} from '@waybill/server/operations/admission';
import { expect, test, vi } from 'vitest';
import { stopClock } from './stop-clock.ts';

type Request = Parameters<RequestSlots['waitForSlots']>[0];
type Reply = Parameters<RequestSlots['waitForSlots']>[1];

/** A request that transfers a file. */
function transferOf(account: string, transfers: FileSlots, headers: Record<string, string> = {}) {
  const socket = { bytesWritten: 1_000_000 }; // of earlier responses
  const raw = new EventEmitter();
  let hasStarted = false;
  const waitForSlots = async () =>
    transfers.waitForSlots({ headers, socket, waited: 0 } as never, { raw } as never, account);
  void waitForSlots().then(() => {
    hasStarted = true;
  });
  return {
    hasStarted: () => hasStarted,
    end(sent: number) {
      socket.bytesWritten += sent;
      raw.emit('close');
    },
  };
}

/** The transfers of an account while another one is active, by a clock that only the test puts forward. */
function sharedTransfers(instances = 1): FileSlots {
  stopClock();
  const activity = accountActivity();
  activity.instances = instances;
  activity.note('b');
  return fileSlotsOf(activity, 60_000);
}

/** A request whose response ends when the test says so. */
function requestOf(account: string, slots: RequestSlots, weight = 1) {
  const raw = new EventEmitter();
  const entered = (async () =>
    slots.waitForSlots({ waited: 0 } as Request, { raw } as unknown as Reply, account, weight))();
  let hasStarted = false;
  entered.then(
    () => {
      hasStarted = true;
    },
    () => {},
  );
  return { entered, hasStarted: () => hasStarted, end: () => raw.emit('close') };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const turns = async (): Promise<void> => {
  for (let count = 0; count < 4; count++) await turn();
};

test('an account has at most 64 small requests in progress, and 1,000 that wait; a further one returns 429', async () => {
  const slots = requestSlotsOf(accountActivity(), 60_000);
  const requests = Array.from({ length: 64 }, () => requestOf('a', slots));
  await turns();
  requests.push(...Array.from({ length: 1000 }, () => requestOf('a', slots)));
  await turns();
  expect(requests.filter(({ hasStarted }) => hasStarted())).toHaveLength(64);
  const refused = { code: 'rate_limited', status: 429, headers: { 'Retry-After': '1' } };
  await expect(requestOf('a', slots).entered).rejects.toMatchObject(refused);
  requests[0]?.end();
  await turns();
  expect(requests[64]?.hasStarted()).toBe(true);
});

test('an account has at most 32 small requests in progress while another is active', async () => {
  const slots = requestSlotsOf(accountActivity(), 60_000);
  const requests = Array.from({ length: 64 }, () => requestOf('a', slots));
  await turns();
  requests.push(requestOf('a', slots));
  await requestOf('b', slots).entered;
  for (const request of requests.slice(0, 32)) request.end();
  await turns();
  expect(requests[64]?.hasStarted()).toBe(false);
  requests[32]?.end();
  await turns();
  expect(requests[64]?.hasStarted()).toBe(true);
});

test('so many requests start in one turn of the event loop that others are read in between', async () => {
  const slots = requestSlotsOf(accountActivity(), 60_000);
  const requests = Array.from({ length: 100 }, () => requestOf('a', slots));
  const other = requestOf('b', slots);
  await Promise.resolve();
  expect(requests.filter(({ hasStarted }) => hasStarted()).length).toBeLessThanOrEqual(32);
  await turn();
  expect(other.hasStarted()).toBe(true);
  expect(requests.every(({ hasStarted }) => hasStarted())).toBe(false);
});

test.for<[bytes: number, milliseconds: number, instances: number]>([
  [0, 8, 1],
  [1_600_000, 104, 1],
  [1_600_000, 208, 2],
  [10 * 2 ** 20, 648, 1],
  [Number.MAX_SAFE_INTEGER, 648, 1],
])(
  "while others are active, an upload of %i bytes uses its account's share of %i ms (on %s instances)",
  async ([bytes, milliseconds, instances]) => {
    const transfers = sharedTransfers(instances);
    transferOf('a', transfers, { 'content-length': String(bytes) });
    await vi.advanceTimersByTimeAsync(0);
    const next = transferOf('a', transfers);
    await vi.advanceTimersByTimeAsync(milliseconds - 8);
    expect(next.hasStarted()).toBe(false);
    await vi.advanceTimersByTimeAsync(8);
    expect(next.hasStarted()).toBe(true);
  },
);

test('while others are active, a file uses the share of the account to which it was sent', async () => {
  const transfers = sharedTransfers();
  transferOf('a', transfers).end(1_600_000);
  const next = transferOf('a', transfers);
  await vi.advanceTimersByTimeAsync(92);
  expect(next.hasStarted()).toBe(false);
  await vi.advanceTimersByTimeAsync(16);
  expect(next.hasStarted()).toBe(true);
});

test('while others are active, an account has its share of requests once in all instances', async () => {
  stopClock();
  const activity = accountActivity();
  activity.instances = 2;
  activity.note('b');
  const slots = requestSlotsOf(activity, 60_000);
  requestOf('a', slots, 40).end();
  await vi.advanceTimersByTimeAsync(0);
  const next = requestOf('a', slots);
  await vi.advanceTimersByTimeAsync(72);
  expect(next.hasStarted()).toBe(false);
  await vi.advanceTimersByTimeAsync(8);
  expect(next.hasStarted()).toBe(true);
});

test('the time that a request has waited for slots is known', async () => {
  stopClock();
  const slots = requestSlotsOf(accountActivity(), 60_000);
  const first = requestOf('a', slots, 64);
  const request = { waited: 0 } as Request;
  const entered = slots.waitForSlots(request, { raw: new EventEmitter() } as unknown as Reply, 'a', 64);
  await vi.advanceTimersByTimeAsync(50);
  first.end();
  await entered;
  expect(request.waited).toBe(50);
});

test('a request that waits too long returns 503', async () => {
  const slots = requestSlotsOf(accountActivity(), 1);
  requestOf('a', slots, 64);
  await expect(requestOf('a', slots).entered).rejects.toMatchObject({ status: 503, code: 'unavailable' });
});

test.for<[headers: Record<string, string>, sharesStatements: boolean, entries: number, weight: number]>([
  [{}, true, 0, 1],
  [{}, false, 0, 5],
  [{}, false, 25, 10],
  [{}, false, 100, 25],
  [{ 'content-length': '4095' }, true, 0, 1],
  [{ 'content-length': '40960' }, true, 0, 11],
  [{ 'content-length': '1048576' }, true, 0, 64],
  [{ 'transfer-encoding': 'chunked' }, true, 0, 64],
])('a request with %j (shares statements: %j) that reads %i entries has the weight %i', ([headers, ...cost]) => {
  const [sharesStatements, entries, weight] = cost;
  expect(requestWeight({ headers } as Request, sharesStatements, entries)).toBe(weight);
});

test('a write that shares its statements costs as much as one that has its own', () => {
  expect(requestCost(1, true)).toBe(5);
  expect(requestCost(1, false)).toBe(1);
});
