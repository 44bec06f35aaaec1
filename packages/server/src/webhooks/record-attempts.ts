import { dayLength } from '@waybill/contract/duration';
import type { components } from '@waybill/contract/types';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { executeWithNextStatement } from '../database/driver.ts';
import type { Tables } from '../database/tables.ts';
import { appendEvents, eventRow } from '../event-feed/append.ts';
import { firstPending, type ScheduledDelivery, type StoredDelivery } from './delivery-queue.ts';
import { type EndpointRef, endpointFrom, endpointUpdateQuery, lockedEndpoint, updateEndpoint } from './endpoints.ts';
import type { AttemptOutcome } from './send.ts';

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

/** The status by which a receiver ends its endpoint: Gone. */
const gone = 410;
/** Milliseconds after which an endpoint whose attempts all failed is disabled. */
const failingLimit = 7 * dayLength;

/**
 * What is stored in a delivery after an attempt, which `attempts` includes, or when its event has expired. With the status
 * `pending`, it is retried at `next_attempt_at`.
 */
export type DeliveryResult = Omit<StoredDelivery, 'event_number' | 'event_created_at' | 'type'>;

/** Whether a request was sent, or could not be: not for an expired event (`resultOfExpired`). */
export const isAttempted = (result: DeliveryResult): result is DeliveryResult & { attempted_at: Date } =>
  result.attempted_at !== null;

/** Whether the delivery is delivered or has failed for the last time. */
export const isFinished = ({ status }: DeliveryResult): boolean => status !== 'pending';

/** @returns the result of an attempt that was made. @param now the time of the request */
export function resultOfAttempt(
  { id, order_key, attempts, url }: Pick<ScheduledDelivery, 'id' | 'order_key' | 'attempts' | 'url'>,
  outcome: AttemptOutcome,
  now: Date,
): DeliveryResult {
  const { succeeded, responseStatus, responseBody, error, milliseconds } = outcome;
  const mayRetry = !succeeded && responseStatus !== gone;
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
export const resultOfExpired = ({ id, order_key, attempts }: ScheduledDelivery): DeliveryResult => ({
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

type DisabledReason = components['schemas']['WebhookDisabledReason'];

interface RecordResult {
  /** Why the endpoint was disabled; undefined when it was not. */
  disabled: DisabledReason | undefined;
  /** Whether no attempt has succeeded since one failed. */
  isReceiverFailing: boolean;
}

/**
 * Stores ended attempts, makes the next deliveries of their shipments due, and disables an endpoint whose attempts fail, with
 * an event about it.
 *
 * An attempt whose delivery was attempted by another instance meanwhile is ignored: this one was paused for longer than its
 * lease. One at a URL that the endpoint no longer has says nothing about the endpoint, and ends no delivery by its failure.
 * @param results in the order of the ends of the attempts
 * @returns undefined when there is no such endpoint
 */
export function recordAttempts(
  db: Database,
  endpoint: EndpointRef,
  results: DeliveryResult[],
): Promise<RecordResult | undefined> {
  return db.transaction().execute(async (trx) => {
    const row = await lockedEndpoint(trx, endpoint).select(['url', 'status', 'failing_since']).executeTakeFirst();
    if (!row) return undefined;
    const now = new Date();
    const recorded: DeliveryResult[] = [];
    for (const each of results) {
      const result = hasFailedAtOldUrl(each, row.url) ? retryNow(each, now) : each;
      if (await updateDelivery(trx, endpoint, result)) recorded.push(result);
    }
    const keys = recorded.filter(isFinished).map(({ order_key }) => order_key);
    await makeNextDue(trx, endpoint, keys, now);
    const ofEndpoint = recorded.filter(({ attempt_url }) => attempt_url === row.url);
    const since = failingSince(row.failing_since, ofEndpoint);
    if (since?.getTime() !== row.failing_since?.getTime()) {
      await executeWithNextStatement(trx, endpointUpdateQuery(trx, endpoint).set({ failing_since: since }));
    }
    const disabled = row.status === 'enabled' ? disabledReason(ofEndpoint, since, now) : undefined;
    if (disabled) await disableEndpoint(trx, endpoint, disabled, now);
    return { disabled, isReceiverFailing: since !== null };
  });
}

/** Whether the last attempt of a delivery has failed at a URL that the endpoint no longer has. */
const hasFailedAtOldUrl = ({ status, attempt_url }: DeliveryResult, url: string): boolean =>
  status === 'failed' && attempt_url !== null && attempt_url !== url;

const retryNow = (result: DeliveryResult, now: Date): DeliveryResult => ({
  ...result,
  status: 'pending',
  next_attempt_at: now,
});

/**
 * One delivery for each statement: however many the endpoint has, PostgreSQL finds it by the primary key. For several, it may
 * read all deliveries of the endpoint.
 * @returns whether this is the next attempt of the delivery
 */
async function updateDelivery(
  trx: Transaction<Tables>,
  { accountId, endpointId }: EndpointRef,
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

/**
 * Makes the first pending delivery with each key due, unless it has a `next_attempt_at` already. The updates are sent with the next
 * statement.
 */
async function makeNextDue(trx: Transaction<Tables>, endpoint: EndpointRef, keys: string[], now: Date): Promise<void> {
  for (const key of keys) {
    const update = trx
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: now })
      .where('account_id', '=', endpoint.accountId)
      .where('endpoint_id', '=', endpoint.endpointId)
      .where('id', '=', firstPending(trx, endpoint, sql.val(key)))
      .where('next_attempt_at', 'is', null);
    await executeWithNextStatement(trx, update);
  }
}

/** The time of the first failed attempt after the last successful one; null when the last one has succeeded. */
export function failingSince(before: Date | null, ended: DeliveryResult[]): Date | null {
  let since = before;
  for (const { status, attempted_at } of ended.filter(isAttempted)) {
    since = status === 'delivered' ? null : (since ?? attempted_at);
  }
  return since;
}

function disabledReason(ended: DeliveryResult[], since: Date | null, now: Date): DisabledReason | undefined {
  if (ended.some(({ response_status }) => response_status === gone)) return 'gone';
  if (!ended.some(isAttempted) || since === null) return undefined;
  return now.getTime() - since.getTime() > failingLimit ? 'failing' : undefined;
}

/** Disables an endpoint, with an event about it. */
async function disableEndpoint(
  trx: Transaction<Tables>,
  endpoint: EndpointRef,
  disabled_reason: DisabledReason,
  now: Date,
): Promise<void> {
  const row = await updateEndpoint(trx, endpoint, { status: 'disabled', disabled_reason }, now);
  const data = { webhook_endpoint: endpointFrom(row) };
  await appendEvents(trx, [
    eventRow(endpoint.accountId, { type: 'webhook_endpoint.disabled', shipmentId: null, data }),
  ]);
}
