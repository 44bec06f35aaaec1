import type { SecretBox } from '../../database/secret-box.ts';
import { earlierSecrets } from '../endpoints/endpoints.ts';
import { eventOf, type ScheduledDelivery } from '../queue/delivery-queue.ts';
import { type DeliveryResult, resultOfAttempt, resultOfExpired } from './attempt-result.ts';
import { type AttemptOutcome, noResponse, type Sender } from './send.ts';
import { signatureHeaders } from './signing.ts';
import type { SocketLimits } from './socket-limits.ts';

export interface AttemptServices {
  sockets: SocketLimits;
  sender: Sender;
  secrets: Pick<SecretBox, 'decrypt'>;
  /** Counts the attempt (telemetry/metrics.ts), also one that could not be signed: the operator then gets an alert. */
  countAttempt?: ((attempt: AttemptOutcome) => void) | undefined;
}

/**
 * Sends the event of a delivery once, as soon as its account has a socket for the host.
 * @param endpoint with the time of PostgreSQL, by which the times of attempts are stored and secrets expire
 * @param signal aborts when no more attempts may start
 * @returns what to store; undefined without a socket or a lease: then the delivery stays due
 * @throws an error of the service, which is none of the receiver
 */
export async function attemptDelivery(
  delivery: ScheduledDelivery,
  { accountId, mayStartAttempt, now: timeOf }: { accountId: string; mayStartAttempt(): boolean; now(): Date },
  services: AttemptServices,
  signal: AbortSignal,
): Promise<DeliveryResult | undefined> {
  const { data } = delivery;
  if (data === null) return resultOfExpired(delivery);
  const release = await services.sockets.enter(accountId, delivery.url, signal);
  if (!release) return undefined;
  try {
    if (signal.aborted || !mayStartAttempt()) return undefined;
    const now = timeOf();
    const attempt = await sendSigned({ ...delivery, data }, now, services);
    services.countAttempt?.(attempt);
    return resultOfAttempt(delivery, attempt, now);
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
  const { url, secret } = delivery;
  const earlier = earlierSecrets(delivery, now).map((each) => each.secret);
  let headers: Record<string, string>;
  try {
    headers = signatureHeaders(message, [secret, ...earlier].map(secrets.decrypt));
  } catch {
    // Such as a secret whose key is no longer in SIGNING_KEYS.
    const error = 'The service could not sign the event.';
    return { ...noResponse, error, milliseconds: 0 };
  }
  return sender.send(url, headers, message.body);
}
