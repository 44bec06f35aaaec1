import { type DueDelivery, eventOf } from './due-deliveries.ts';
import type { EndedAttempt } from './record.ts';
import type { Attempt, Sender } from './send.ts';
import { type SecretBox, signatureHeaders } from './signing.ts';
import type { SocketLimits } from './sockets.ts';

/** Seconds between the attempts of a delivery, about three days together. */
const delays = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 43_200, 43_200, 43_200, 28_800];
/** The largest part that is added to a delay, so that deliveries that failed together are not all repeated together. */
const jitter = 0.1;

/** Milliseconds until the next attempt; undefined when none follows. @param attempts that have failed */
function retryDelay(attempts: number): number | undefined {
  const delay = delays[attempts - 1];
  return delay === undefined ? undefined : delay * 1000 * (1 + jitter * Math.random());
}

export interface AttemptServices {
  sockets: SocketLimits;
  sender: Sender;
  secrets: Pick<SecretBox, 'decrypt'>;
  /** Whether this instance may send the events of the endpoint, for the time of an attempt (workers.ts). */
  hasLease(): boolean;
  /** Counts the attempt (telemetry/metrics.ts). */
  endWebhook?: ((attempt: Attempt) => void) | undefined;
}

/**
 * Sends the event of a delivery once, as soon as its account has a socket for the host.
 * @param signal ends the wait for the socket
 * @returns what to store; undefined when nothing was sent
 * @throws an error of the service, which is none of the receiver
 */
export async function attemptDelivery(
  accountId: string,
  delivery: DueDelivery,
  services: AttemptServices,
  signal: AbortSignal,
): Promise<EndedAttempt | undefined> {
  const { data } = delivery;
  if (data === null) return expired(delivery);
  const release = await services.sockets.enter(accountId, delivery.url, signal);
  if (!release) return undefined;
  try {
    if (!services.hasLease()) return undefined;
    const now = new Date();
    const attempt = await sendSigned({ ...delivery, data }, now, services);
    services.endWebhook?.(attempt);
    return endedAttempt(delivery, attempt, now);
  } finally {
    release();
  }
}

async function sendSigned(
  delivery: DueDelivery & { data: NonNullable<DueDelivery['data']> },
  now: Date,
  { sender, secrets }: AttemptServices,
): Promise<Attempt> {
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
    return { succeeded: false, status: undefined, responseBody: undefined, error, milliseconds: 0 };
  }
  return sender.send(url, headers, message.body);
}

/** @param now the time of the request */
export function endedAttempt(
  { id, order_key, attempts, url }: Pick<DueDelivery, 'id' | 'order_key' | 'attempts' | 'url'>,
  { succeeded, status, responseBody, error, milliseconds }: Attempt,
  now: Date,
): EndedAttempt {
  const delay = succeeded || status === 410 ? undefined : retryDelay(attempts + 1);
  return {
    ...{ id, order_key, attempts: attempts + 1 },
    status: succeeded ? 'delivered' : delay === undefined ? 'failed' : 'pending',
    next_attempt_at: delay === undefined ? null : new Date(now.getTime() + milliseconds + delay),
    attempted_at: now,
    attempt_url: url,
    attempt_ms: milliseconds,
    response_status: status ?? null,
    response_body: responseBody ?? null,
    error: error ?? null,
  };
}

/**
 * The result for an event that is no longer retained: it would hold up the later ones of its shipment. It counts as an
 * attempt, so that a late result of another instance is ignored.
 */
const expired = ({ id, order_key, attempts }: DueDelivery): EndedAttempt => ({
  ...{ id, order_key, attempts: attempts + 1, status: 'failed', next_attempt_at: null, attempted_at: null },
  ...{ attempt_url: null, attempt_ms: null, response_status: null, response_body: null, error: null },
});
