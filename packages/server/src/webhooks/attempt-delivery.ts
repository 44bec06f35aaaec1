import type { SecretBox } from '../webhook-signing/secrets.ts';
import { signatureHeaders } from '../webhook-signing/signature.ts';
import { eventOf } from './delivery.ts';
import type { DeliveryRow } from './delivery-queries.ts';
import type { AttemptResult } from './health.ts';
import type { QueueRow } from './queue-queries.ts';
import { retryDelay } from './retry-schedule.ts';
import type { Attempt, Sender } from './send.ts';

interface Services {
  sender: Sender;
  secrets: SecretBox;
  onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** Sends the event of a delivery once. Never rejects. @returns what to store */
export async function attemptDelivery(
  delivery: DeliveryRow,
  queue: QueueRow,
  { sender, secrets, onAttempt }: Services,
): Promise<AttemptResult> {
  const now = new Date();
  const attempt = await sendSigned(delivery, queue, now, { sender, secrets });
  onAttempt?.(attempt);
  const { succeeded, status, responseBody, error, milliseconds } = attempt;
  const delay = succeeded ? undefined : retryDelay(delivery.attempts + 1);
  const isGone = status === 410;
  const next_attempt_at = delay === undefined || isGone ? null : new Date(Date.now() + delay);
  return {
    succeeded,
    recorded: {
      account_id: queue.account_id,
      endpoint_id: queue.id,
      id: delivery.id,
      order_key: delivery.order_key,
      status: succeeded ? 'delivered' : next_attempt_at === null ? 'failed' : 'pending',
      next_attempt_at,
      attempted_at: now,
      attempt_url: queue.url,
      attempt_ms: milliseconds,
      response_status: status ?? null,
      response_body: responseBody ?? null,
      error: error ?? null,
    },
  };
}

async function sendSigned(
  delivery: DeliveryRow,
  queue: QueueRow,
  now: Date,
  { sender, secrets }: Pick<Services, 'sender' | 'secrets'>,
): Promise<Attempt> {
  try {
    const event = eventOf(delivery);
    const message = { id: event.id, timestamp: Math.floor(now.getTime() / 1000), body: JSON.stringify(event) };
    const { secret, previous_secret, previous_secret_expires_at: expiry } = queue;
    const previous = previous_secret !== null && expiry !== null && expiry > now ? [previous_secret] : [];
    const headers = signatureHeaders(message, [secret, ...previous].map(secrets.decrypt));
    return await sender.send(queue.url, headers, message.body);
  } catch {
    // Such as a secret whose key is no longer in SIGNING_KEYS.
    const error = 'The service could not sign the event.';
    return { succeeded: false, status: undefined, responseBody: undefined, error, milliseconds: 0 };
  }
}
