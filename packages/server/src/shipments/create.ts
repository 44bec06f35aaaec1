import type { components } from '@waybill/contract/types';
import { Problem } from '@waybill/http/problems';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { literal } from '../database/expressions.ts';
import { newUuid, publicId, timeOfUuid, trackingNumber } from '../database/identifiers.ts';
import type { Tables } from '../database/tables.ts';
import type { ResponseOf, Write } from '../operations/route-handlers.ts';
import { initialTransition } from '../tracking/lifecycle.ts';
import { insertTimelineEntry } from '../tracking/queries.ts';
import { creationGroups } from './create-group.ts';
import { detailsOf } from './details.ts';
import { columnsOf, type NewShipment, shipmentFrom } from './queries.ts';
import { sequenceNumbers, takeSequenceNumbers } from './tracking-numbers.ts';

interface Options {
  database: Database;
  /** The path of the base URL, such as `/v1`. */
  basePath: string;
  /** The first part of tracking numbers. */
  trackingPrefix: string;
}

/** Creates shipments. The response is known before the shipment is inserted. */
export function shipmentCreation({ database, basePath, trackingPrefix }: Options): Write<'createShipment'> {
  const nextNumber = sequenceNumbers(database);
  const join = creationGroups(database);

  const newShipment = (accountId: string, body: components['schemas']['ShipmentRequest'], number: number) => {
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

  return {
    async planForGroup({ body }, { accountId }) {
      const { row, response } = newShipment(accountId, body, await nextNumber());
      return { response, joinGroup: (responseRow) => join({ ...row, ...responseRow }) };
    },
    async perform({ body }, { accountId, addEvent, db }) {
      // Not `nextNumber`, which needs a connection besides that of the transaction.
      const [number] = (await takeSequenceNumbers(db, 1)) as [number];
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

/** @param shipmentId the public identifier of the other shipment */
const referenceTaken = (reference: string, shipmentId: string): Problem =>
  new Problem('reference_taken', `Another shipment has the reference ${reference}.`, { shipment_id: shipmentId });
