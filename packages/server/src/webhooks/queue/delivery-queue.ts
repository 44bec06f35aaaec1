import type { EventData } from '@waybill/contract/events';
import type { components } from '@waybill/contract/types';
import { type Expression, type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { eventFrom } from '../../events/event.ts';
import type { EndpointRef } from '../endpoints/endpoint-list.ts';
import { earlierSecretColumns } from '../endpoints/endpoints.ts';

/**
 * The deliveries of an endpoint, which wait here between their event and their last attempt.
 *
 * A shipment has one attempt at a time (`selectScheduled`), so that its events arrive in their order (`order_key`: its id).
 * Usually one of its pending deliveries is scheduled, that is has a `next_attempt_at`, and the later ones wait. It is not always
 * the first: a replay queues earlier events behind it. Several are scheduled when requests queue deliveries
 * (delivery-operations.ts). Then the earliest `next_attempt_at` goes first, whatever its event.
 *
 * | state     | `status`    | `next_attempt_at` | next state                                                             |
 * | --------- | ----------- | ----------------- | ---------------------------------------------------------------------- |
 * | waits     | `pending`   | null              | due, when another one of its shipment has finished (`makeNextDue`)     |
 * | due       | `pending`   | past              | one of those below, after an attempt (`resultOfAttempt`); due again    |
 * |           |             |                   | without a socket, and after a failure at an old URL (`recordAttempts`) |
 * | retry     | `pending`   | future            | due, at that time                                                      |
 * | delivered | `delivered` | null              | deleted, beyond the newest ones (`deleteOldDeliveries`)                |
 * | failed    | `failed`    | null              | the same                                                               |
 *
 * Clean-up deletes finished ones when their event has expired. A pending one fails then (`resultOfExpired`),
 * as soon as the endpoint is enabled, and the next one of its shipment is due.
 *
 * No column says that an attempt runs: only the worker of the endpoint knows it.
 */

export const deliveryColumns = [
  'id',
  'event_number',
  'event_created_at',
  'type',
  'order_key',
  'status',
  'attempts',
  'next_attempt_at',
  'attempted_at',
  'attempt_url',
  'attempt_ms',
  'response_status',
  'response_body',
  'error',
] as const;
export type StoredDelivery = Pick<Selectable<Tables['webhook_deliveries']>, (typeof deliveryColumns)[number]>;
/** A delivery with the data of its event. */
export type DeliveryRow = StoredDelivery & { data: EventData };

/** The deliveries with one key are sent in order. That of an event without a shipment has a key of its own. */
export const orderKeyOf = (id: string, shipmentId: string | null): string => shipmentId ?? id;
/** The shipment of the event of a delivery. */
export const shipmentIdOf = ({ id, order_key }: Pick<StoredDelivery, 'id' | 'order_key'>): string | null =>
  order_key === id ? null : order_key;

/** Returns the event of a delivery. */
export const eventOf = (row: DeliveryRow): components['schemas']['Event'] =>
  eventFrom({
    number: row.event_number,
    created_at: row.event_created_at,
    type: row.type,
    data: row.data,
    shipment_id: shipmentIdOf(row),
  });

/** The deliveries of an endpoint as `d`, with the data of their events: null when the event is no longer retained. */
export const deliveriesOf = (
  db: Kysely<Tables>,
  { accountId, endpointId }: EndpointRef,
): SelectQueryBuilder<
  Tables & { d: Tables['webhook_deliveries']; e: Tables['events'] },
  'd' | 'e',
  StoredDelivery & { data: EventData | null }
> =>
  db
    .selectFrom('webhook_deliveries as d')
    .leftJoin('events as e', (on) =>
      on
        .onRef('e.account_id', '=', 'd.account_id')
        .onRef('e.number', '=', 'd.event_number')
        .onRef('e.created_at', '=', 'd.event_created_at'),
    )
    .where('d.account_id', '=', accountId)
    .where('d.endpoint_id', '=', endpointId)
    .select(deliveryColumns.map((column) => `d.${column}` as const))
    .select((from) => from.fn.coalesce('d.test_data', 'e.data').as('data'));

/** A literal, because PostgreSQL does not use the index of pending deliveries for a parameter. */
export const pending: RawBuilder<'pending'> = sql.lit('pending');

/** Selects the first pending delivery with an order key. It reads one row, however many are pending. */
export const firstPending = (
  db: Kysely<Tables>,
  { accountId, endpointId }: EndpointRef,
  orderKey: Expression<string | null>,
): SelectQueryBuilder<Tables & { n: Tables['webhook_deliveries'] }, 'n', { id: string }> =>
  db
    .selectFrom('webhook_deliveries as n')
    .select('n.id')
    .where('n.account_id', '=', accountId)
    .where('n.endpoint_id', '=', endpointId)
    .where('n.order_key', '=', orderKey)
    .where('n.status', '=', pending)
    .orderBy('n.event_number')
    .orderBy('n.id')
    .limit(1);

/** A delivery to attempt, with the endpoint as it is when the delivery is selected. */
export type ScheduledDelivery = Omit<DeliveryRow, 'data' | 'next_attempt_at'> & {
  /** Null when the event is no longer retained. */
  data: DeliveryRow['data'] | null;
  next_attempt_at: Date;
} & Pick<
    Selectable<Tables['webhook_endpoints']>,
    'url' | 'secret' | (typeof earlierSecretColumns)[number] | 'failing_since'
  >;

/** Deliveries to attempt next. */
interface Selection {
  /** The first one of each shipment, by the time of their attempt. */
  scheduled: ScheduledDelivery[];
  /** The time of PostgreSQL; undefined when nothing is scheduled. */
  now: Date | undefined;
  /** Whether as many rows were read as the limit allows. Those that follow one of the same shipment are left out. */
  isLimitReached: boolean;
  /** Whether the endpoint has `failing_since`; undefined when nothing is scheduled. */
  isReceiverFailing: boolean | undefined;
}

/**
 * Selects the next deliveries of an enabled endpoint by the time of their attempt, due or not; those of one time in any order.
 * Their URL and secrets are read with them: an event that happened after a change of the endpoint is sent as the change says.
 * @param excludedKeys the order keys of deliveries that are attempted now
 * @param limit how many are read
 */
export async function selectScheduled(
  db: Kysely<Tables>,
  endpoint: EndpointRef,
  excludedKeys: string[],
  limit: number,
): Promise<Selection> {
  const rows = await deliveriesOf(db, endpoint)
    .innerJoin('webhook_endpoints as w', (on) =>
      on.onRef('w.account_id', '=', 'd.account_id').onRef('w.id', '=', 'd.endpoint_id'),
    )
    .select(['w.url', 'w.secret', 'w.failing_since', sql<Date>`clock_timestamp()`.as('now')])
    .select(earlierSecretColumns.map((column) => `w.${column}` as const))
    .where('w.account_id', '=', endpoint.accountId)
    .where('w.id', '=', endpoint.endpointId)
    .where('w.status', '=', 'enabled')
    .where('d.next_attempt_at', 'is not', null)
    .where('d.order_key', '<>', sql<string>`all(${excludedKeys}::uuid[])`)
    .$narrowType<{ next_attempt_at: Date }>()
    .orderBy('d.next_attempt_at')
    .limit(limit)
    .execute();
  // Not by PostgreSQL, which would read all scheduled deliveries.
  const scheduled = rows.filter(
    ({ order_key }, index) => index === rows.findIndex((row) => row.order_key === order_key),
  );
  const [first] = rows;
  return {
    scheduled,
    now: first?.now,
    isLimitReached: rows.length === limit,
    isReceiverFailing: first && first.failing_since !== null, // of the endpoint: each row has it
  };
}

/** Finished deliveries of an endpoint that are retained. The guide on webhooks states it. */
const maxFinished = 10_000;

/** Deletes finished deliveries beyond the newest ones. It reads these: call it after many have finished. */
export async function deleteOldDeliveries(db: Kysely<Tables>, { accountId, endpointId }: EndpointRef): Promise<void> {
  const oldest = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('account_id', '=', accountId)
    .where('endpoint_id', '=', endpointId)
    .where('status', '<>', pending)
    .orderBy('id', 'desc')
    .offset(sql.lit(maxFinished))
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  await db
    .deleteFrom('webhook_deliveries')
    .where('account_id', '=', accountId)
    .where('endpoint_id', '=', endpointId)
    .where('status', '<>', pending)
    .where('id', '<=', oldest.id)
    .execute();
}
