import { eventOf, type ScheduledDelivery, type StoredDelivery } from './delivery-queue.ts';
import { type AttemptOutcome, noResponse, type Sender } from './send.ts';
import { type SecretBox, signatureHeaders } from './signing.ts';
import type { SocketLimits } from './sockets.ts';

/** Seconds between the attempts of a delivery, about three days together. */
const delays = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 43_200, 43_200, 43_200, 28_800];
/** The largest part that is added to a delay, so that deliveries that failed together are not all retried together. */
const jitter = 0.1;

/** Milliseconds of the longest pause that a receiver gets by `Retry-After`. */
const maxRetryPause = Math.max(...delays) * 1000;

/**
 * Milliseconds until the next attempt: the pause, or a longer `Retry-After` of 429 and 503 (Standard Webhooks). Undefined when
 * none follows.
 * @param attempts that have failed
 */
function retryDelay(attempts: number, { responseStatus, retryAfter = 0 }: AttemptOutcome): number | undefined {
  const delay = delays[attempts - 1];
  if (delay === undefined) return undefined;
  const asked = responseStatus === 429 || responseStatus === 503 ? Math.min(retryAfter, maxRetryPause) : 0;
  return Math.max(delay * 1000, asked) * (1 + jitter * Math.random());
}

export interface AttemptServices {
  sockets: SocketLimits;
  sender: Sender;
  secrets: Pick<SecretBox, 'decrypt'>;
  /** Counts the attempt (telemetry/metrics.ts), also one that could not be signed: the operator then gets an alert. */
  countAttempt?: ((attempt: AttemptOutcome) => void) | undefined;
}

/**
 * Sends the event of a delivery once, as soon as its account has a socket for the host.
 * @param mayStart whether this instance has a lease for the time of an attempt, when there is a socket
 * @param signal aborts when no more attempts may start
 * @returns what to store; undefined without a socket or a lease: then the delivery stays due
 * @throws an error of the service, which is none of the receiver
 */
export async function attemptDelivery(
  accountId: string,
  delivery: ScheduledDelivery,
  services: AttemptServices,
  mayStart: () => boolean,
  signal: AbortSignal,
): Promise<DeliveryResult | undefined> {
  const { data } = delivery;
  if (data === null) return expiredResult(delivery);
  const release = await services.sockets.enter(accountId, delivery.url, signal);
  if (!release) return undefined;
  try {
    if (signal.aborted || !mayStart()) return undefined;
    const now = new Date();
    const attempt = await sendSigned({ ...delivery, data }, now, services);
    services.countAttempt?.(attempt);
    return deliveryResultOf(delivery, attempt, now);
  } finally {
    release();
  }
}

async function sendSigned(
  delivery: ScheduledDelivery & { data: NonNullable<ScheduledDelivery['data']> },
  now: Date,
  { sender, secrets }: AttemptServices,
): Promise<AttemptOutcome> {
  const event = eventOf(delivery);
  const message = { id: event.id, timestamp: Math.floor(now.getTime() / 1000), body: JSON.stringify(event) };
  const { url, secret, previous_secret, previous_secret_expires_at: expiry } = delivery;
  const previous = previous_secret !== null && expiry !== null && expiry > now ? [previous_secret] : [];
  let headers: Record<string, string>;
  try {
    headers = signatureHeaders(message, [secret, ...previous].map(secrets.decrypt));
  } catch {
    // Such as a secret whose key is no longer in SIGNING_KEYS.
    const error = 'The service could not sign the event.';
    return { ...noResponse, error, milliseconds: 0 };
  }
  return sender.send(url, headers, message.body);
}

/** @returns the result of an attempt that was made. @param now the time of the request */
export function deliveryResultOf(
  { id, order_key, attempts, url }: Pick<ScheduledDelivery, 'id' | 'order_key' | 'attempts' | 'url'>,
  outcome: AttemptOutcome,
  now: Date,
): DeliveryResult {
  const { succeeded, responseStatus, responseBody, error, milliseconds } = outcome;
  const mayRetry = !succeeded && responseStatus !== 410;
  const delay = mayRetry ? retryDelay(attempts + 1, outcome) : undefined; // undefined, too, after the last attempt
  return {
    id,
    order_key,
    attempts: attempts + 1,
    status: succeeded ? 'delivered' : delay === undefined ? 'failed' : 'pending',
    next_attempt_at: delay === undefined ? null : new Date(now.getTime() + milliseconds + delay),
    attempted_at: now,
    attempt_url: url,
    attempt_ms: milliseconds,
    response_status: responseStatus ?? null,
    response_body: responseBody ?? null,
    error: error ?? null,
  };
}

/**
 * The result for an event that is no longer retained: it would hold up the later ones of its shipment. It is counted as
 * an attempt although no request was sent, so that a late result of another instance is ignored.
 */
const expiredResult = ({ id, order_key, attempts }: ScheduledDelivery): DeliveryResult => ({
  id,
  order_key,
  attempts: attempts + 1,
  status: 'failed',
  next_attempt_at: null,
  attempted_at: null,
  attempt_url: null,
  attempt_ms: null,
  response_status: null,
  response_body: null,
  error: null,
});

/**
 * What is stored in a delivery after an attempt, which `attempts` includes, or when its event has expired. With the status
 * `pending`, it is retried at `next_attempt_at`.
 */
export type DeliveryResult = Omit<StoredDelivery, 'event_number' | 'event_created_at' | 'type'>;

/** Whether the delivery is delivered or has failed for the last time. */
export const isFinished = ({ status }: DeliveryResult): boolean => status !== 'pending';
