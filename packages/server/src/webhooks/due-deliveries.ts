import type { EventData } from '@waybill/contract/events';
import type { components } from '@waybill/contract/types';
import {
  type Expression,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type Transaction,
} from 'kysely';
import type { Database } from '../database/database.ts';
import { executeWithNext } from '../database/driver.ts';
import type { Tables } from '../database/tables.ts';
import { eventFrom } from '../events/event.ts';

export const deliveryColumns = [
  'id',
  'event_position',
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

/** Returns the event of a delivery. */
export const eventOf = (row: DeliveryRow): components['schemas']['Event'] =>
  eventFrom({
    ...{ position: BigInt(row.event_position), created_at: row.event_created_at, type: row.type, data: row.data },
    shipment_id: row.order_key === row.id ? null : row.order_key,
  });

/** The deliveries of an endpoint as `d`, with the data of their events: null when the event is no longer retained. */
export const deliveriesOf = (
  db: Kysely<Tables>,
  accountId: string,
  endpointId: string,
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
        .onRef('e.position', '=', 'd.event_position')
        .onRef('e.created_at', '=', 'd.event_created_at'),
    )
    .where('d.account_id', '=', accountId)
    .where('d.endpoint_id', '=', endpointId)
    .select(deliveryColumns.map((column) => `d.${column}` as const))
    .select((from) => from.fn.coalesce('d.test_data', 'e.data').as('data'));

/** Selects an endpoint and locks it until the end of the transaction. */
export const lockedEndpoint = (
  db: Kysely<Tables>,
  accountId: string,
  id: string,
): SelectQueryBuilder<Tables, 'webhook_endpoints', object> =>
  db.selectFrom('webhook_endpoints').where('account_id', '=', accountId).where('id', '=', id).forNoKeyUpdate();

/** A literal, because PostgreSQL does not use the index of pending deliveries for a parameter. */
export const pending: RawBuilder<'pending'> = sql.lit('pending');

/** Selects the first pending delivery with an order key. It reads one row, however many are pending. */
export const firstPending = (
  db: Kysely<Tables>,
  accountId: string,
  endpointId: string,
  orderKey: Expression<string | null>,
): SelectQueryBuilder<Tables & { n: Tables['webhook_deliveries'] }, 'n', { id: string }> =>
  db
    .selectFrom('webhook_deliveries as n')
    .select('n.id')
    .where('n.account_id', '=', accountId)
    .where('n.endpoint_id', '=', endpointId)
    .where('n.order_key', '=', orderKey)
    .where('n.status', '=', pending)
    .orderBy('n.event_position')
    .orderBy('n.id')
    .limit(1);

/** A delivery to attempt, with the endpoint as it is when the delivery is selected. */
export type DueDelivery = Omit<DeliveryRow, 'data'> & {
  /** Null when the event is no longer retained. */
  data: DeliveryRow['data'] | null;
} & Pick<
    Selectable<Tables['webhook_endpoints']>,
    'url' | 'secret' | 'previous_secret' | 'previous_secret_expires_at' | 'failing_since'
  >;

/**
 * Selects the deliveries of an enabled endpoint that are due next, the most overdue first, one of each shipment. Their URL
 * and secrets are read with them: an event that happened after a change of the endpoint is sent as the change says.
 * @param excludedKeys the order keys of deliveries that are attempted now
 */
export const selectDue = (
  db: Kysely<Tables>,
  accountId: string,
  endpointId: string,
  excludedKeys: string[],
  limit: number,
): Promise<DueDelivery[]> =>
  deliveriesOf(db, accountId, endpointId)
    .innerJoin('webhook_endpoints as w', (on) =>
      on.onRef('w.account_id', '=', 'd.account_id').onRef('w.id', '=', 'd.endpoint_id'),
    )
    .select(['w.url', 'w.secret', 'w.previous_secret', 'w.previous_secret_expires_at', 'w.failing_since'])
    .where('w.account_id', '=', accountId)
    .where('w.id', '=', endpointId)
    .where('w.status', '=', 'enabled')
    .where('d.next_attempt_at', 'is not', null)
    .where('d.order_key', '<>', sql<string>`all(${excludedKeys}::uuid[])`)
    .orderBy('d.next_attempt_at')
    .limit(limit)
    .execute();

/** Makes the first pending delivery with each key due, unless it has an attempt ahead. It is sent with the commit. */
export async function makeNextDue(
  trx: Transaction<Tables>,
  accountId: string,
  endpointId: string,
  keys: string[],
  now: Date,
): Promise<void> {
  for (const key of keys) {
    const update = trx
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: now })
      .where('account_id', '=', accountId)
      .where('endpoint_id', '=', endpointId)
      .where('id', '=', firstPending(trx, accountId, endpointId, sql.val(key)))
      .where('next_attempt_at', 'is', null);
    await executeWithNext(trx, update);
  }
}

/** Deliveries that a transaction of `makeWaitingDue` examines. */
const waitingBatch = 500;

/** The last delivery that was examined. */
export type Examined = Pick<Selectable<Tables['webhook_deliveries']>, 'order_key' | 'event_position' | 'id'>;

/**
 * Makes each waiting delivery due that has no earlier pending one of its shipment: it was removed while the endpoint was
 * disabled.
 * @returns the last delivery that was examined; undefined at the end
 */
export function makeWaitingDue(
  db: Database,
  accountId: string,
  endpointId: string,
  after: Examined = firstKey,
): Promise<Examined | undefined> {
  return db.transaction().execute(async (trx) => {
    await executeWithNext(trx, lockedEndpoint(trx, accountId, endpointId).select('id'));
    const rows = await trx
      .selectFrom('webhook_deliveries')
      .select(['order_key', 'event_position', 'id', 'next_attempt_at'])
      .where('account_id', '=', accountId)
      .where('endpoint_id', '=', endpointId)
      .where('status', '=', pending)
      .where((is) =>
        is(
          is.refTuple('order_key', 'event_position', 'id'),
          '>',
          is.tuple(after.order_key, after.event_position, after.id),
        ),
      )
      .orderBy('order_key')
      .orderBy('event_position')
      .orderBy('id')
      .limit(sql.lit(waitingBatch))
      .execute();
    const keys = rows.filter(({ order_key }, index) => order_key !== (rows[index - 1] ?? after).order_key);
    const waiting = keys.filter(({ next_attempt_at }) => next_attempt_at === null);
    await makeNextDue(
      trx,
      accountId,
      endpointId,
      waiting.map(({ order_key }) => order_key),
      new Date(),
    );
    return rows.length === waitingBatch ? rows.at(-1) : undefined;
  });
}

const lowest = '00000000-0000-0000-0000-000000000000';
const firstKey: Examined = { order_key: lowest, event_position: '0', id: lowest };

/** Finished deliveries of an endpoint that are retained. The guide on webhooks states it. */
const maxFinished = 10_000;

/** Deletes finished deliveries beyond the newest ones. It reads these: call it after many have finished. */
export async function deleteOldDeliveries(db: Kysely<Tables>, accountId: string, endpointId: string): Promise<void> {
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
