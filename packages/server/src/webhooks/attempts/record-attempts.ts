import { dayLength } from '@waybill/contract/duration';
import type { components } from '@waybill/contract/types';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../database/database.ts';
import { executeWithNextStatement } from '../../database/driver.ts';
import { now as timeOfPostgres } from '../../database/statements/expressions.ts';
import { recordset } from '../../database/statements/row-statement.ts';
import type { Tables } from '../../database/tables.ts';
import { appendEvents, eventRow } from '../../event-feed/append.ts';
import type { EndpointRef } from '../endpoints/endpoint-list.ts';
import { endpointFrom, endpointUpdateQuery, lockedEndpoint, updateEndpoint } from '../endpoints/endpoints.ts';
import { firstPending } from '../queue/delivery-queue.ts';
import { type DeliveryResult, gone, isAttempted } from './attempt-result.ts';

/** Milliseconds after which an endpoint whose attempts all failed is disabled. */
const failingLimit = 7 * dayLength;

type DisabledReason = components['schemas']['WebhookDisabledReason'];

interface RecordResult {
  /** How many deliveries were delivered, or have failed for the last time. */
  finished: number;
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
    const columns = ['url', 'status', 'failing_since', timeOfPostgres.as('now')] as const;
    const row = await lockedEndpoint(trx, endpoint).select(columns).executeTakeFirst();
    if (!row) return undefined;
    const { now } = row;
    const ended = results.map((each) => (hasFailedAtOldUrl(each, row.url) ? retryNow(each, now) : each));
    const updated = await updateDeliveries(trx, endpoint, ended);
    const recorded = ended.filter(({ id }) => updated.has(id));
    const keys = recorded.filter(({ status }) => status !== 'pending').map(({ order_key }) => order_key);
    await makeNextDue(trx, endpoint, keys, now);
    const ofEndpoint = recorded.filter(({ attempt_url }) => attempt_url === row.url);
    const since = failingSince(row.failing_since, ofEndpoint);
    if (since?.getTime() !== row.failing_since?.getTime()) {
      await executeWithNextStatement(trx, endpointUpdateQuery(trx, endpoint).set({ failing_since: since }));
    }
    const disabled = row.status === 'enabled' ? disabledReason(ofEndpoint, since, now) : undefined;
    if (disabled) await disableEndpoint(trx, endpoint, disabled, now);
    return { finished: keys.length, disabled, isReceiverFailing: since !== null };
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

const resultTypes: Record<keyof DeliveryResult, string> = {
  id: 'uuid',
  order_key: 'uuid',
  attempts: 'integer',
  status: 'text',
  next_attempt_at: 'timestamptz',
  attempted_at: 'timestamptz',
  attempt_url: 'text',
  attempt_ms: 'integer',
  response_status: 'integer',
  response_body: 'text',
  error: 'text',
};
const { id: _, order_key: __, ...changed } = resultTypes;
const changedColumns = Object.keys(changed) as (keyof typeof changed)[];

/** @returns the ids of the deliveries of which this is the next attempt */
async function updateDeliveries(
  trx: Transaction<Tables>,
  { accountId, endpointId }: EndpointRef,
  results: DeliveryResult[],
): Promise<Set<string>> {
  const rows = await trx
    .updateTable('webhook_deliveries as d')
    .from(recordset('r', resultTypes, results))
    .set((eb) => Object.fromEntries(changedColumns.map((name) => [name, eb.ref(`r.${name}`)])))
    .where('d.account_id', '=', accountId)
    .where('d.endpoint_id', '=', endpointId)
    // By the primary key, however many deliveries the endpoint has: a join alone may read them all.
    .where((eb) => eb('d.id', '=', eb.fn.any(eb.val(results.map(({ id }) => id)))))
    .whereRef('d.id', '=', 'r.id')
    .where((eb) => eb('d.attempts', '=', eb('r.attempts', '-', 1)))
    .returning('d.id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Makes the first pending delivery with each key due, unless it has a `next_attempt_at` already. The update is sent with the next
 * statement.
 */
async function makeNextDue(trx: Transaction<Tables>, endpoint: EndpointRef, keys: string[], now: Date): Promise<void> {
  if (keys.length === 0) return;
  const first = trx
    .selectFrom(sql<{ key: string }>`unnest(${keys}::uuid[])`.as<'k'>(sql`k (key)`))
    .select((eb) => firstPending(trx, endpoint, eb.ref('k.key')).as('id'));
  const update = trx
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: now })
    .where('account_id', '=', endpoint.accountId)
    .where('endpoint_id', '=', endpoint.endpointId)
    .where('id', '=', sql<string>`any(array(${first}))`)
    .where('next_attempt_at', 'is', null);
  await executeWithNextStatement(trx, update);
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
  if (ended.length === 0 || since === null) return undefined;
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
