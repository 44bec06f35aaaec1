import { dayLength } from '@waybill/contract/duration';
import type { components } from '@waybill/contract/types';
import type { Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { executeWithNextStatement } from '../database/driver.ts';
import type { Tables } from '../database/tables.ts';
import { appendEvents } from '../event-feed/append.ts';
import { eventOf, makeNextDue, type ScheduledDelivery, type StoredDelivery } from './delivery-queue.ts';
import { endpointFrom, endpointUpdate, lockedEndpoint, removeFromList, updateEndpointRow } from './endpoints.ts';
import type { AttemptOutcome, Sender, SocketLimits } from './send.ts';
import { type SecretBox, signatureHeaders } from './signing.ts';

/** Seconds between the attempts of a delivery, about three days together. */
const delays = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 43_200, 43_200, 43_200, 28_800];
/** The largest part that is added to a delay, so that deliveries that failed together are not all retried together. */
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
  /** Counts the attempt (telemetry/metrics.ts), also one that could not be signed: the operator then gets an alert. */
  countAttempt?: ((attempt: AttemptOutcome) => void) | undefined;
}

/**
 * Sends the event of a delivery once, as soon as its account has a socket for the host.
 * @param mayStart whether this instance has a lease for the time of an attempt, when there is a socket
 * @param signal ends the wait for the socket
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
    if (!mayStart()) return undefined;
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
    return { succeeded: false, responseStatus: undefined, responseBody: undefined, error, milliseconds: 0 };
  }
  return sender.send(url, headers, message.body);
}

/** @returns the result of an attempt that was made. @param now the time of the request */
export function deliveryResultOf(
  { id, order_key, attempts, url }: Pick<ScheduledDelivery, 'id' | 'order_key' | 'attempts' | 'url'>,
  { succeeded, responseStatus, responseBody, error, milliseconds }: AttemptOutcome,
  now: Date,
): DeliveryResult {
  const mayRetry = !succeeded && responseStatus !== 410;
  const delay = mayRetry ? retryDelay(attempts + 1) : undefined; // undefined, too, after the last attempt
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

/** Milliseconds after which an endpoint whose attempts all failed is disabled. */
const failingLimit = 7 * dayLength;

/**
 * What is stored in a delivery after an attempt, which `attempts` includes, or when its event has expired. With the status
 * `pending`, it is retried at `next_attempt_at`.
 */
export type DeliveryResult = Omit<StoredDelivery, 'event_position' | 'event_created_at' | 'type'>;

/** Whether the delivery is delivered or has failed for the last time. */
export const isFinished = ({ status }: DeliveryResult): boolean => status !== 'pending';

type DisabledReason = components['schemas']['WebhookDisabledReason'];

/**
 * Stores ended attempts, makes the next deliveries of their shipments due, and disables an endpoint whose attempts fail, with
 * an event about it.
 *
 * An attempt whose delivery was attempted by another instance meanwhile is ignored: this one was paused for longer than its
 * lease.
 * @param results in the order of the ends of the attempts
 * @returns why the endpoint was disabled; undefined when it was not
 */
export function recordAttempts(
  db: Database,
  accountId: string,
  endpointId: string,
  results: DeliveryResult[],
): Promise<DisabledReason | undefined> {
  return db.transaction().execute(async (trx) => {
    const endpoint = await lockedEndpoint(trx, accountId, endpointId)
      .select(['status', 'failing_since'])
      .executeTakeFirst();
    if (!endpoint) return undefined;
    const now = new Date();
    const recorded: DeliveryResult[] = [];
    for (const result of results) if (await updateDelivery(trx, accountId, endpointId, result)) recorded.push(result);
    const keys = recorded.filter(isFinished).map(({ order_key }) => order_key);
    await makeNextDue(trx, accountId, endpointId, keys, now);
    const since = failingSince(endpoint.failing_since, recorded);
    if (since?.getTime() !== endpoint.failing_since?.getTime()) {
      await executeWithNextStatement(trx, endpointUpdate(trx, accountId, endpointId).set({ failing_since: since }));
    }
    const disabled = endpoint.status === 'enabled' ? disabledReason(recorded, since, now) : undefined;
    if (disabled) await disableEndpoint(trx, accountId, endpointId, disabled, now);
    return disabled;
  });
}

/**
 * One delivery for each statement: however many the endpoint has, PostgreSQL finds it by the primary key. For several, it may
 * read all deliveries of the endpoint.
 * @returns whether this is the next attempt of the delivery
 */
async function updateDelivery(
  trx: Transaction<Tables>,
  accountId: string,
  endpointId: string,
  { id, order_key: _, ...result }: DeliveryResult,
): Promise<boolean> {
  const row = await trx
    .updateTable('webhook_deliveries')
    .set(result)
    .where('account_id', '=', accountId)
    .where('endpoint_id', '=', endpointId)
    .where('id', '=', id)
    .where('attempts', '=', result.attempts - 1)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The time of the first failed attempt after the last successful one; null when the last one has succeeded. */
export function failingSince(before: Date | null, ended: DeliveryResult[]): Date | null {
  let since = before;
  for (const { status, attempted_at } of ended) {
    // An expired event is not attempted.
    if (attempted_at !== null) since = status === 'delivered' ? null : (since ?? attempted_at);
  }
  return since;
}

function disabledReason(ended: DeliveryResult[], since: Date | null, now: Date): DisabledReason | undefined {
  if (ended.some(({ response_status }) => response_status === 410)) return 'gone';
  if (since !== null && now.getTime() - since.getTime() > failingLimit) return 'failing';
  return undefined;
}

/** Disables an endpoint, with an event about it. */
async function disableEndpoint(
  trx: Transaction<Tables>,
  accountId: string,
  endpointId: string,
  disabled_reason: DisabledReason,
  updated_at: Date,
): Promise<void> {
  const changes = { status: 'disabled', disabled_reason, updated_at } as const;
  const row = await updateEndpointRow(trx, accountId, endpointId, changes);
  await removeFromList(trx, accountId, endpointId);
  const data = { webhook_endpoint: endpointFrom(row) };
  await appendEvents(trx, accountId, [{ type: 'webhook_endpoint.disabled', shipmentId: null, data }]);
}
