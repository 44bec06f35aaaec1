import { dayLength } from '@waybill/contract/duration';
import type { components } from '@waybill/contract/types';
import type { Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { appendEvents } from '../event-feed/append.ts';
import { unlistEndpoint } from './changes.ts';
import { lockedEndpoint, makeNextDue, type StoredDelivery } from './due-deliveries.ts';
import { type EndpointRow, endpointFrom, visibleColumns } from './endpoints.ts';

/** Milliseconds after which an endpoint whose attempts all failed is disabled. */
const failingLimit = 7 * dayLength;

/** What an attempt stores in its delivery. With the status `pending`, it is repeated at `next_attempt_at`. */
export type EndedAttempt = Omit<StoredDelivery, 'event_position' | 'event_created_at' | 'type'>;

/** What is known of an endpoint after attempts were recorded. */
export interface Recorded {
  /** Why the endpoint was disabled. */
  disabled: components['schemas']['WebhookDisabledReason'] | undefined;
}

/**
 * Stores ended attempts, makes the next deliveries of their shipments due, and disables an endpoint whose attempts fail, with
 * an event about it.
 *
 * An attempt whose delivery was attempted by another instance meanwhile is ignored: this one was paused for longer than its
 * lease.
 * @param ended in the order of their ends
 * @returns undefined when there is no such endpoint
 */
export function recordAttempts(
  db: Database,
  accountId: string,
  endpointId: string,
  ended: EndedAttempt[],
): Promise<Recorded | undefined> {
  return db.transaction().execute(async (trx) => {
    const endpoint = await lockedEndpoint(trx, accountId, endpointId)
      .select([...visibleColumns, 'failing_since'])
      .executeTakeFirst();
    if (!endpoint) return undefined;
    const now = new Date();
    const recorded: EndedAttempt[] = [];
    for (const attempt of ended) if (await updateDelivery(trx, accountId, endpointId, attempt)) recorded.push(attempt);
    const finished = recorded.filter(({ next_attempt_at }) => next_attempt_at === null);
    const keys = finished.map(({ order_key }) => order_key);
    await makeNextDue(trx, accountId, endpointId, keys, now);
    const since = failingSince(endpoint.failing_since, recorded);
    const disabled = endpoint.status === 'enabled' ? disabledReason(recorded, since, now) : undefined;
    if (disabled || since?.getTime() !== endpoint.failing_since?.getTime()) {
      await updateFailing(trx, accountId, endpoint, since, disabled, now);
    }
    return { disabled };
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
  { id, order_key: _, ...result }: EndedAttempt,
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
export function failingSince(before: Date | null, ended: EndedAttempt[]): Date | null {
  let since = before;
  for (const { status, attempted_at } of ended) {
    // An expired event is not attempted.
    if (attempted_at !== null) since = status === 'delivered' ? null : (since ?? attempted_at);
  }
  return since;
}

function disabledReason(ended: EndedAttempt[], since: Date | null, now: Date): Recorded['disabled'] {
  if (ended.some(({ response_status }) => response_status === 410)) return 'gone';
  if (since !== null && now.getTime() - since.getTime() > failingLimit) return 'failing';
  return undefined;
}

/** Stores since when the attempts fail, and disables the endpoint. */
async function updateFailing(
  trx: Transaction<Tables>,
  accountId: string,
  endpoint: EndpointRow,
  failing_since: Date | null,
  disabled: Recorded['disabled'],
  now: Date,
): Promise<void> {
  const row = await trx
    .updateTable('webhook_endpoints')
    .set({ failing_since, ...(disabled && { status: 'disabled', disabled_reason: disabled, updated_at: now }) })
    .where('account_id', '=', accountId)
    .where('id', '=', endpoint.id)
    .returning(visibleColumns)
    .executeTakeFirst();
  if (!row || !disabled) return;
  await unlistEndpoint(trx, accountId, endpoint.id);
  const data = { webhook_endpoint: endpointFrom(row) };
  await appendEvents(trx, accountId, [{ type: 'webhook_endpoint.disabled', shipmentId: null, data }]);
}
