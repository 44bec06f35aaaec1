import { randomUUID } from 'node:crypto';
import { secretBox } from '@waybill/server/database/secret-box';
import { type AttemptServices, attemptDelivery } from '@waybill/server/webhooks/attempts/attempt';
import { AttemptLimit } from '@waybill/server/webhooks/attempts/attempt-limit';
import { resultOfAttempt } from '@waybill/server/webhooks/attempts/attempt-result';
import type { AttemptOutcome, Sender } from '@waybill/server/webhooks/attempts/send';
import { socketLimits } from '@waybill/server/webhooks/attempts/socket-limits';
import type { ScheduledDelivery } from '@waybill/server/webhooks/queue/delivery-queue';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test, vi } from 'vitest';
import { signingKey } from '../fixtures/service/settings.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { success } from './workers.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const failure: AttemptOutcome = { ...success, succeeded: false, responseStatus: 500, milliseconds: 250 };
const now = new Date('2026-03-02T12:00:00.750Z');
const secrets = secretBox([signingKey]);
const delivery = (changes: Partial<ScheduledDelivery> = {}): ScheduledDelivery => ({
  ...{ id: randomUUID(), order_key: randomUUID(), status: 'pending', attempts: 3, next_attempt_at: now },
  ...{ event_number: 7, event_created_at: new Date('2026-03-02T09:00:00Z'), type: 'webhook_endpoint.test', data: {} },
  ...{ attempted_at: null, attempt_url: null, attempt_ms: null },
  ...{ response_status: null, response_body: null, error: null },
  ...{ url: 'https://shop.example.com/hook', failing_since: null },
  ...{ secret: secrets.create(), previous_secret: null, previous_secret_expires_at: null, earlier_secrets: null },
  ...changes,
});

/** Attempts a delivery with a sender that never fails, and returns what it has sent. */
async function attempt(due: ScheduledDelivery, changes: Partial<AttemptServices> = {}, mayStartAttempt = () => true) {
  const send = vi.fn<Sender['send']>(async () => success);
  const services = { secrets, sockets: { enter: async () => () => {} }, sender: { send, close() {} }, ...changes };
  const instance = { accountId: 'a', mayStartAttempt, now: () => new Date() };
  const result = await attemptDelivery(due, instance, services, new AbortController().signal);
  const [[, headers = {}, body = ''] = []] = send.mock.calls;
  return { result, isSent: send.mock.calls.length > 0, headers, body };
}

const [minute, hour] = [60, 3600];
/** Seconds before the second attempt, the third one, and so on. */
const pauses = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 43_200, 43_200, 43_200, 28_800];

test.for<[attempts: number, pause: number | undefined, status?: number, retryAfter?: number]>([
  ...pauses.map((pause, attempts) => [attempts, pause] as [number, number]),
  [0, minute, 429, minute],
  [0, minute, 503, minute],
  [2, 2 * minute, 429, minute], // the pause is longer
  [0, 12 * hour, 503, 30 * 24 * hour],
  [0, 5, 500, minute],
  [0, 5, 302, minute],
  [14, undefined, 503, minute],
  [3, undefined, 410, minute],
])('after %i attempts and a failed one, a pause of %s s or up to a tenth more follows: %s, Retry-After %s', (row) => {
  const [attempts, pause, responseStatus = 500, retryAfter] = row;
  const random = vi.spyOn(Math, 'random');
  for (const value of [0, 0.5]) {
    random.mockReturnValue(value);
    const outcome = { ...failure, responseStatus, retryAfter: retryAfter && retryAfter * 1000 };
    const { status, next_attempt_at } = resultOfAttempt(delivery({ attempts }), outcome, now);
    expect([status, next_attempt_at === null]).toEqual(pause ? ['pending', false] : ['failed', true]);
    if (pause) expect(Number(next_attempt_at) - Number(now)).toBeCloseTo(250 + pause * 1000 * (1 + value / 10), -1);
  }
});

test('a repeated attempt is signed with its own time, which is when it has its socket', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T11:59:00Z') });
  const socket = Promise.withResolvers<() => void>();
  const enter = vi.fn(() => socket.promise);
  const due = delivery();
  const attempting = attempt(due, { sockets: { enter } });
  vi.setSystemTime(now);
  const release = vi.fn();
  socket.resolve(release);
  const { result, headers, body } = await attempting;
  expect(result).toMatchObject({ status: 'delivered', attempted_at: now });
  expect(headers['webhook-timestamp']).toBe(String(Date.parse('2026-03-02T12:00:00Z') / 1000));
  new Webhook(secrets.decrypt(due.secret)).verify(body, headers); // throws when the signature has another time
  expect(enter).toHaveBeenCalledExactlyOnceWith('a', 'https://shop.example.com/hook', expect.any(AbortSignal));
  expect(release).toHaveBeenCalledOnce();
});

test('an attempt is signed with each earlier secret, too, until it expires', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  for (const [milliseconds, signatures] of [[1, 3] as const, [0, 1] as const]) {
    const [secret, previous_secret, earlier] = [secrets.create(), secrets.create(), secrets.create()];
    const previous_secret_expires_at = new Date(now.getTime() + milliseconds);
    const earlier_secrets = [{ secret: earlier, expires_at: previous_secret_expires_at.toISOString() }];
    const changes = { secret, previous_secret, previous_secret_expires_at, earlier_secrets };
    const { headers, body } = await attempt(delivery(changes));
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(signatures);
    new Webhook(secrets.decrypt(secret)).verify(body, headers);
    for (const each of [previous_secret, earlier]) {
      const verify = () => new Webhook(secrets.decrypt(each)).verify(body, headers);
      if (signatures === 3) verify();
      else expect(verify).toThrow();
    }
  }
});

test('nothing is sent without a socket, a lease when the socket is free, a retained event or a valid secret', async () => {
  const noSocket = { sockets: { enter: async () => undefined } };
  expect(await attempt(delivery(), noSocket)).toMatchObject({ result: undefined, isSent: false });
  expect(await attempt(delivery(), {}, () => false)).toMatchObject({ result: undefined, isSent: false });
  const expired = { status: 'failed', next_attempt_at: null, attempted_at: null };
  expect(await attempt(delivery({ data: null }))).toMatchObject({ result: expired, isSent: false });
  const countAttempt = vi.fn();
  const secret = secretBox(['another-key-another-key-another-key']).create();
  expect(await attempt(delivery({ secret }), { countAttempt })).toMatchObject({
    result: { status: 'pending', error: 'The service could not sign the event.' },
    isSent: false,
  });
  expect(countAttempt).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ succeeded: false }));
});

test('AttemptLimit permits one attempt less after a failed one, not after an expired event', () => {
  const limit = new AttemptLimit();
  const failed = resultOfAttempt(delivery(), failure, now);
  for (let delivered = 0; delivered < 20; delivered++) limit.adapt({ ...failed, status: 'delivered' });
  limit.adapt({ ...failed, status: 'failed', attempted_at: null });
  expect(limit.most()).toBe(18);
  limit.adapt(failed);
  expect(limit.most()).toBe(17);
});

const { signal } = new AbortController();
const slow = 'https://slow.example.com/hook';

/** Limits, and what has entered, by the name of the attempt. */
function attempts(options: Parameters<typeof socketLimits>[0]) {
  const limits = socketLimits({ waitTimeout: 2 ** 30, ...options });
  const releases = new Map<string, (() => void) | undefined>();
  return {
    enter: (name: string, account: string, url = slow, end = signal) =>
      void limits.enter(account, url, end).then((release) => releases.set(name, release)),
    entered: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return [...releases.keys()];
    },
    releases,
  };
}

test('a slow host delays no request of another account, or to another host or port', async () => {
  const { enter, entered } = attempts({});
  for (let count = 0; count < 200; count++) enter(`a${count}`, 'a');
  enter('b', 'b');
  enter('other host', 'a', 'https://fast.example.com/hook');
  enter('other port', 'a', 'https://slow.example.com:8443/hook');
  const found = await entered();
  expect(found).toEqual(expect.arrayContaining(['b', 'other host', 'other port']));
  expect(found).toHaveLength(64 + 3);
});

test.for([
  ['a stop', 'the host', { slotsPerHost: 1 }],
  ['a stop', 'the instance', { slots: 1, slotsPerAccount: 1 }],
  ['a stop', 'a place in the queue', { slotsPerHost: 1, maxWaiting: 0 }],
  ['time', 'the host', { slotsPerHost: 1, waitTimeout: 1 }],
] as const)('%s ends the wait for %s, and the socket is free for others afterwards', async ([by, , options]) => {
  const { enter, entered, releases } = attempts(options);
  const stop = new AbortController();
  enter('first', 'a');
  enter('ended', 'a', slow, stop.signal);
  if (by === 'a stop') {
    expect(await entered()).toEqual(['first']);
    stop.abort();
  }
  await vi.waitFor(async () => expect(await entered()).toEqual(['first', 'ended']), waitTimeout);
  expect(releases.get('ended')).toBeUndefined();
  releases.get('first')?.();
  enter('next', 'a');
  await entered();
  expect(releases.get('next')).toBeTypeOf('function');
});
