import type { components } from '@waybill/contract/types';
import { newUuid, publicId, timeOfUuid, trackingNumber } from '@waybill/http/identifiers';
import { Problem } from '@waybill/http/problems';
import { detailsOf } from '@waybill/http/shipments/details';
import { initialTransition } from '@waybill/http/shipments/lifecycle';
import { referenceTaken } from '@waybill/http/shipments/refusals';
import { type Kysely, sql, type Transaction } from 'kysely';
import { groupWrites, limitLockWaits } from '../database/batches.ts';
import type { Database } from '../database/database.ts';
import { jsonObject, literal } from '../database/expressions.ts';
import { type RowStatement, rowStatement, rowsOf } from '../database/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import { insertFeedEvents, lockFeedsOf } from '../event-feed/append.ts';
import type { PreparedResponse } from '../operations/execute-write.ts';
import type { ResponseOf, Write } from '../operations/route-handlers.ts';
import {
  expiredBefore,
  insertResponses,
  type ResponseColumns,
  responseColumns,
  responseColumnTypes,
  selectStoredAt,
} from '../operations/stored-responses.ts';
import { insertTimelineEntry } from '../tracking/queries.ts';
import { columnsOf, type NewShipment, shipmentFrom } from './queries.ts';

interface Options {
  database: Database;
  /** The path of the base URL, such as `/v1`. */
  basePath: string;
  /** The first part of tracking numbers. */
  trackingPrefix: string;
}

interface Creation {
  row: ShipmentWithResponse;
  prepared: PreparedResponse;
}

/** Creates shipments. The response is known before the shipment is inserted. */
export function shipmentCreation({ database, basePath, trackingPrefix }: Options): Write<'createShipment'> {
  const nextNumber = sequenceNumbers(database);
  const joinGroup = groupWrites<Creation, PreparedResponse | 'key_used'>(
    database,
    {
      name: 'create_shipments',
      maxRunning: 2,
      maxItems: 64,
      /** In characters. */
      size: {
        max: 1_000_000,
        of: ({ row }: Creation) => row.origin.length + row.destination.length + row.response_body.length,
      },
      /** Shipments with the same reference are inserted one after the other, so that the second finds the first. */
      exclusiveKey: ({ row }: Creation) => (row.reference === null ? undefined : `${row.account_id} ${row.reference}`),
    },
    async (creations) => {
      // `database`, not its `ofAccount(…)` as in requests of one account: a group has shipments of several.
      const results = await commitShipments(database, { rows: creations.map(({ row }) => row) });
      const resultOf = new Map(results.map(({ id, result }) => [id, result]));
      return creations.map(({ row, prepared }) => {
        const result = resultOf.get(row.id);
        if (!result) throw new Error('PostgreSQL returned no result for a shipment');
        return result === 'inserted' ? prepared : result;
      });
    },
  );

  const newShipment = (accountId: string, body: components['schemas']['ShipmentRequest'], number: string) => {
    const id = newUuid();
    const createdAt = timeOfUuid(id);
    const details = detailsOf(body);
    const row: NewShipment = {
      account_id: accountId,
      id, // created_at is not a column: responses read it from the id (decision 0009)
      tracking_number: trackingNumber(trackingPrefix, createdAt, number),
      type: body.type,
      reference: body.reference ?? null,
      ...columnsOf(body, details),
      updated_at: createdAt,
    };
    const { origin, destination } = body;
    const initial = { status: initialTransition.to, cancellation_reason: null };
    const shipment = shipmentFrom({ ...row, origin, destination, details, ...initial }); // `row` has them as JSON
    const headers = { location: `${basePath}/shipments/${shipment.id}` };
    const response: ResponseOf<'createShipment'> = { status: 201, headers, body: shipment };
    return { row, response };
  };

  // `executeWrite` calls `execute` only when `commitInGroup` has returned `commit_alone`: see ../README.md.
  return {
    commitInGroup({ body }, { accountId, keyedRequest, prepareResponse }) {
      return joinGroup(async () => {
        const { row, response } = newShipment(accountId, body, await nextNumber());
        return { row: { ...row, ...responseColumns(keyedRequest, response) }, prepared: prepareResponse(response) };
      });
    },
    async execute({ body }, { accountId, addEvent, db }) {
      // Not `nextNumber`, which needs a connection besides that of the transaction.
      const [number] = (await takeSequenceNumbers(db, 1)) as [string];
      const { row, response } = newShipment(accountId, body, number);
      // `insertShipment` refuses only a reference that is taken, so that the body has one.
      if (!(await insertShipment(db, row))) throw await problemOfReference(db, accountId, String(body.reference));
      addEvent({ type: 'shipment.created', shipmentId: row.id, data: { shipment: response.body } });
      return response;
    },
  };
}

async function problemOfReference(db: Transaction<Tables>, accountId: string, reference: string): Promise<Problem> {
  const id = await findShipmentIdByReference(db, accountId, reference);
  // The other shipment was cancelled between the two statements.
  if (!id) return new Problem('unavailable', 'The reference has just become free. Send the request again.');
  return referenceTaken(reference, publicId('ship', id));
}

/** A shipment to insert, and its response, which is stored if the request has a key and becomes the data of the event. */
type ShipmentWithResponse = NewShipment & ResponseColumns;

interface InsertResult {
  id: string;
  result: 'inserted' | 'key_used' | 'commit_alone';
}

const columnTypes: Record<keyof NewShipment, string> = {
  account_id: 'uuid',
  id: 'uuid',
  tracking_number: 'text',
  type: 'text',
  origin: 'jsonb',
  destination: 'jsonb',
  pickup_start: 'timestamptz',
  pickup_end: 'timestamptz',
  reference: 'text',
  notes: 'text',
  details: 'jsonb',
  handover_code: 'text',
  updated_at: 'timestamptz',
};
const columns = Object.keys(columnTypes) as (keyof NewShipment)[];
const statusLiteral = literal(initialTransition.to);
const descriptionLiteral = literal(initialTransition.description);

/**
 * Inserts shipments with the first entries of their timelines, stores their responses and appends events, in one statement,
 * which is a transaction: PostgreSQL commits it when it ends.
 *
 * A shipment is left out when its key has a stored response (`key_used`, or `commit_alone` if that is expired) or another
 * shipment has its reference (`commit_alone`: the problem is found there). All instances insert in the same order, so that
 * there is no deadlock. A group has no key twice: `waitOrStart` (operations/execute-write.ts) lets one request
 * with a key run at a time.
 *
 * PostgreSQL executes it in this order, because each expression reads the one before it: limit the wait for locks, search keys
 * and references, insert, lock the feeds, append the events.
 * @throws an error of PostgreSQL when another transaction takes a key or a reference meanwhile; then nothing is inserted,
 * and `groupWrites` lets each request be committed alone
 */
const commitShipments: RowStatement<{ rows: ShipmentWithResponse }, InsertResult> = rowStatement(
  { rows: rowsOf<ShipmentWithResponse>({ ...columnTypes, ...responseColumnTypes }) },
  (db, { rows }) =>
    db
      .with((cte) => cte('lock_timeout').materialized(), limitLockWaits)
      .with(
        (cte) => cte('searched').materialized(),
        (from) =>
          from
            .selectFrom(['lock_timeout', rows.as('s')])
            .selectAll('s')
            .select((eb) => [
              selectStoredAt(db, 's').as('stored_at'),
              eb
                .selectFrom('shipments as other')
                .select('other.id')
                .whereRef('other.account_id', '=', 's.account_id')
                .whereRef('other.reference', '=', 's.reference')
                .where('other.status', '<>', literal('cancelled'))
                .as('id_with_reference'),
            ]),
      )
      .with(
        (cte) => cte('decided').materialized(),
        (from) =>
          from
            .selectFrom('searched')
            .selectAll()
            .select((eb) =>
              eb
                .case()
                .when('stored_at', '>', expiredBefore)
                .then(literal('key_used'))
                .when(eb.or([eb('stored_at', 'is not', null), eb('id_with_reference', 'is not', null)]))
                .then(literal('commit_alone'))
                .else(literal('inserted'))
                .end()
                .as('result'),
            ),
      )
      .with(
        (cte) => cte('accepted').materialized(),
        (from) => from.selectFrom('decided').selectAll().where('result', '=', literal('inserted')),
      )
      .with('response', () => insertResponses(db, 'accepted'))
      .with('shipment', (into) =>
        into
          .insertInto('shipments')
          .columns([...columns, 'status', 'version'])
          .expression((from) =>
            from
              .selectFrom('accepted')
              .select(columns)
              .select((eb) => [statusLiteral.as('status'), eb.lit(1).as('version')])
              .orderBy('account_id')
              .orderBy('reference'),
          )
          .returning('account_id'),
      )
      .with('timeline_entry', (into) =>
        into
          .insertInto('tracking_events')
          .columns(['account_id', 'shipment_id', 'version', 'status', 'occurred_at', 'description'])
          .expression((from) =>
            from
              .selectFrom('accepted')
              .select((eb) => [
                'account_id',
                'id',
                eb.lit(1).as('version'),
                statusLiteral.as('status'),
                'updated_at',
                descriptionLiteral.as('description'),
              ]),
          ),
      )
      // Not after timeline_entry: its insertion never waits, because its shipment is new.
      .with((cte) => cte('feed').materialized(), lockFeedsOf(['response', 'shipment']))
      .with('feed_event', (from) =>
        insertFeedEvents(
          db,
          from
            .selectFrom('feed')
            .innerJoin('accepted', 'accepted.account_id', 'feed.account_id')
            .select((eb) => [
              'accepted.account_id',
              'accepted.id as shipment_id',
              literal('shipment.created').as('type'),
              jsonObject({ shipment: eb.ref('response_body') }).as('data'),
            ]),
        ),
      )
      .selectFrom('decided')
      .select(['id', 'result']),
);

/**
 * Inserts a shipment and the first entry of its timeline. Call it in a transaction.
 * @returns false when another shipment of the account that is not cancelled has the reference
 */
async function insertShipment(db: Kysely<Tables>, row: NewShipment): Promise<boolean> {
  const { to: status, description } = initialTransition;
  const inserted = await db
    .insertInto('shipments')
    .values({ ...row, status, version: 1 })
    .onConflict((conflict) =>
      // The unique index of references leaves out cancelled shipments.
      conflict
        .columns(['account_id', 'reference'])
        .where('reference', 'is not', null)
        .where('status', '<>', literal('cancelled'))
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return false;
  const entry = { version: 1, status, occurred_at: row.updated_at, description };
  await insertTimelineEntry(db, { account_id: row.account_id, shipment_id: row.id, ...entry });
  return true;
}

/** The id of the account's shipment that has the reference and is not cancelled. */
async function findShipmentIdByReference(
  db: Kysely<Tables>,
  accountId: string,
  reference: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('shipments')
    .select('id')
    .where('account_id', '=', accountId)
    .where('reference', '=', reference)
    .where('status', '<>', literal('cancelled'))
    .executeTakeFirst();
  return row?.id;
}

/** Numbers of a block. Those that are not used when the process ends are lost. */
const blockSize = 256;

/** Takes numbers from the sequence of tracking numbers. No other call returns them. */
async function takeSequenceNumbers(db: Kysely<Tables>, count: number): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select nextval('tracking_sequence') as number from generate_series(1, ${count}::integer)`.execute(db);
  return rows.map(({ number }) => number);
}

/** Makes the function that returns the next number of a block, and fetches the next block before this one is used up. */
export function sequenceNumbers(database: Database): () => Promise<string> {
  const numbers: string[] = [];
  let fetching: Promise<void> | undefined;
  const fetchBlock = async (): Promise<void> => {
    try {
      numbers.push(...(await takeSequenceNumbers(database, blockSize)));
    } finally {
      fetching = undefined;
    }
  };
  return async () => {
    for (;;) {
      const number = numbers.shift();
      if (numbers.length < blockSize / 2 && !fetching) {
        fetching = fetchBlock();
        fetching.catch(() => {}); // only a caller that waits for the block gets the error
      }
      if (number !== undefined) return number;
      await fetching;
    }
  };
}
