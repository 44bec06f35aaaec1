import { randomUUID } from 'node:crypto';
import { secretBox } from '@waybill/server/database/secret-box';
import { type AttemptServices, attemptDelivery } from '@waybill/server/webhooks/attempt';
import { AttemptLimit } from '@waybill/server/webhooks/attempt-limit';
import { resultOfAttempt } from '@waybill/server/webhooks/attempt-result';
import type { ScheduledDelivery } from '@waybill/server/webhooks/delivery-queue';
import type { AttemptOutcome } from '@waybill/server/webhooks/send';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const [second, minute, hour] = [1000, 60_000, 3_600_000];
/** Before the second attempt, the third one, and so on. */
const pauses = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  12 * hour,
  12 * hour,
  12 * hour,
  12 * hour,
  8 * hour,
];
const failure: AttemptOutcome = {
  succeeded: false,
  responseStatus: 500,
  responseBody: '',
  retryAfter: undefined,
  error: undefined,
  milliseconds: 250,
};
const now = new Date('2026-03-02T12:00:00.750Z');
const endpoint = { accountId: 'a', mayStartAttempt: () => true };

const secrets = secretBox(['for-the-tests-only-for-the-tests-only']);
const delivery = (changes: Partial<ScheduledDelivery> = {}): ScheduledDelivery => ({
  id: randomUUID(),
  order_key: randomUUID(),
  status: 'pending',
  attempts: 3,
  next_attempt_at: now,
  event_number: 7,
  event_created_at: new Date('2026-03-02T09:00:00Z'),
  type: 'webhook_endpoint.test',
  attempted_at: null,
  attempt_url: null,
  attempt_ms: null,
  response_status: null,
  response_body: null,
  error: null,
  data: {},
  url: 'https://shop.example.com/hook',
  secret: secrets.create(),
  previous_secret: null,
  previous_secret_expires_at: null,
  failing_since: null,
  ...changes,
});

/** Services with a sender that never fails and stores its headers and bodies. */
function services(changes: Partial<AttemptServices> = {}) {
  const sent: { headers: Record<string, string>; body: string }[] = [];
  const success: AttemptOutcome = { ...failure, succeeded: true, responseStatus: 204 };
  const made: AttemptServices = {
    secrets,
    sockets: { enter: async () => () => {} },
    sender: {
      send: async (_url, headers, body) => {
        sent.push({ headers, body });
        return success;
      },
      close() {},
    },
    ...changes,
  };
  return { sent, services: made };
}

test.for(pauses.map((pause, index) => [index, pause] as const))(
  'after %i failed attempts and one more, a pause of %i ms follows, with up to a tenth more',
  ([attempts, pause]) => {
    const random = vi.spyOn(Math, 'random');
    for (const [value, factor] of [
      [0, 1],
      [0.5, 1.05],
    ] as const) {
      random.mockReturnValue(value);
      const { status, next_attempt_at } = resultOfAttempt(delivery({ attempts }), failure, now);
      expect(status).toBe('pending');
      expect(Number(next_attempt_at) - now.getTime()).toBeCloseTo(250 + pause * factor, -1);
    }
  },
);

test.for([
  [429, minute, 0, minute],
  [503, minute, 0, minute],
  [429, minute, 2, 2 * minute], // the pause is longer
  [503, 30 * 24 * hour, 0, 12 * hour],
  [429, undefined, 0, 5 * second],
  [500, minute, 0, 5 * second],
  [302, minute, 0, 5 * second],
] as const)(
  'after %i with a Retry-After of %s ms and %i attempts before, a pause of %i ms follows, with up to a tenth more',
  ([responseStatus, retryAfter, attempts, pause]) => {
    const random = vi.spyOn(Math, 'random');
    for (const value of [0, 0.5]) {
      random.mockReturnValue(value);
      const outcome = { ...failure, responseStatus, retryAfter };
      const { status, next_attempt_at } = resultOfAttempt(delivery({ attempts }), outcome, now);
      expect(status).toBe('pending');
      expect(Number(next_attempt_at) - now.getTime()).toBeCloseTo(250 + pause * (1 + value / 10), -1);
    }
  },
);

test('a Retry-After delays neither the end of a delivery nor that of its endpoint', () => {
  const last = { ...failure, responseStatus: 503, retryAfter: minute };
  expect(resultOfAttempt(delivery({ attempts: 14 }), last, now)).toMatchObject({
    status: 'failed',
    next_attempt_at: null,
  });
  const gone = { ...failure, responseStatus: 410, retryAfter: minute };
  expect(resultOfAttempt(delivery(), gone, now)).toMatchObject({ status: 'failed', next_attempt_at: null });
});

test('a repeated attempt is signed with its own time, which is when it has its socket', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T11:59:00Z') });
  const { promise: socket, resolve } = Promise.withResolvers<() => void>();
  const enter = vi.fn(() => socket);
  const { sent, services: own } = services({ sockets: { enter } });
  const secret = secrets.create();
  const { signal } = new AbortController();
  const attempt = attemptDelivery(delivery({ secret }), endpoint, own, signal);
  vi.setSystemTime(now);
  const release = vi.fn();
  resolve(release);
  expect(await attempt).toMatchObject({ status: 'delivered', attempted_at: now });
  const [{ headers, body } = expect.unreachable()] = sent;
  expect(headers['webhook-timestamp']).toBe(String(Date.parse('2026-03-02T12:00:00Z') / 1000));
  new Webhook(secrets.decrypt(secret)).verify(body, headers); // throws when the signature has another time
  expect(enter.mock.calls).toEqual([['a', 'https://shop.example.com/hook', signal]]);
  expect(release).toHaveBeenCalledOnce();
});

test.for([
  ['before it expires', now.getTime() + 1, 2],
  ['when it has expired', now.getTime(), 1],
] as const)('an attempt is signed with the previous secret %s: %s', async ([, expiry, signatures]) => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  const [secret, previous_secret] = [secrets.create(), secrets.create()];
  const { sent, services: own } = services();
  const due = delivery({ secret, previous_secret, previous_secret_expires_at: new Date(expiry) });
  await attemptDelivery(due, endpoint, own, new AbortController().signal);
  const [{ headers, body } = expect.unreachable()] = sent;
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(signatures);
  new Webhook(secrets.decrypt(secret)).verify(body, headers);
  const verify = () => new Webhook(secrets.decrypt(previous_secret)).verify(body, headers);
  if (signatures === 2) verify();
  else expect(verify).toThrow();
});

test('nothing is sent without a socket, and without a lease when the socket is free', async () => {
  const { signal } = new AbortController();
  for (const [socket, hasLease] of [
    [undefined, true],
    [() => {}, false],
  ] as const) {
    const { sent, services: own } = services({ sockets: { enter: async () => socket } });
    expect(
      await attemptDelivery(delivery(), { ...endpoint, mayStartAttempt: () => hasLease }, own, signal),
    ).toBeUndefined();
    expect(sent).toEqual([]);
  }
});

test('a delivery whose event is no longer retained fails without an attempt', async () => {
  const { sent, services: own } = services();
  const ended = await attemptDelivery(delivery({ data: null }), endpoint, own, new AbortController().signal);
  expect(ended).toMatchObject({ status: 'failed', next_attempt_at: null, attempted_at: null });
  expect(sent).toEqual([]);
});

test('AttemptLimit permits one attempt less after a failed one, not after an expired event', () => {
  const limit = new AttemptLimit();
  const failed = resultOfAttempt(delivery(), failure, now);
  for (let delivered = 0; delivered < 20; delivered++) limit.adapt({ ...failed, status: 'delivered' });
  expect(limit.most()).toBe(18);
  limit.adapt({ ...failed, status: 'failed', attempted_at: null });
  expect(limit.most()).toBe(18);
  limit.adapt(failed);
  expect(limit.most()).toBe(17);
});

test('a secret that no key decrypts fails the attempt without a request, and the metrics count it', async () => {
  const countAttempt = vi.fn();
  const { sent, services: own } = services({ countAttempt });
  const secret = secretBox(['another-key-another-key-another-key']).create();
  const ended = await attemptDelivery(delivery({ secret }), endpoint, own, new AbortController().signal);
  expect(ended).toMatchObject({ status: 'pending', error: 'The service could not sign the event.' });
  expect(sent).toEqual([]);
  expect(countAttempt).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ succeeded: false }));
});
