import type { components } from '@waybill/contract/types';
import { Problem } from '@waybill/http/problems';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { executeWithNextStatement } from '../database/driver.ts';
import { Conflict, isDuplicate } from '../database/errors.ts';
import { literal } from '../database/expressions.ts';
import { newUuid, publicId, timeOfUuid, trackingNumber } from '../database/identifiers.ts';
import { inLockOrder, rowInsertion } from '../database/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import type { EventRow } from '../event-feed/append.ts';
import type { Services } from '../feature.ts';
import { groupCommit } from '../operations/group-commit.ts';
import type { PlannedWrite, ResponseOf } from '../operations/route-handlers.ts';
import type { ResponseRow } from '../operations/stored-responses.ts';
import { initialTransition } from '../tracking/lifecycle.ts';
import { insertTimelineEntries } from '../tracking/queries.ts';
import { detailsOf } from './details.ts';
import { columnsOf, type NewShipment, shipmentFrom } from './queries.ts';
import { sequenceNumbers } from './tracking-numbers.ts';

/** Creates shipments. The response is known before the shipment is inserted. */
export function shipmentCreation({
  database,
  basePath,
  trackingPrefix,
}: Pick<Services, 'database' | 'basePath' | 'trackingPrefix'>): PlannedWrite<'createShipment'> {
  const nextNumber = sequenceNumbers(database);
  const commitCreation = groupCommit<Creation>(database, {
    name: 'create_shipments',
    /** In characters. */
    size: {
      max: 1_000_000,
      of: ({ row, response }) => row.origin.length + row.destination.length + response.body.length,
    },
    /** Shipments with the same reference are inserted one after the other, so that only the second is refused. */
    exclusiveKey: ({ row }) => (row.reference === null ? undefined : `${row.account_id} ${row.reference}`),
    change: insertShipments,
  });

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
    async plan({ body }, { accountId }) {
      const { row, response } = newShipment(accountId, body, await nextNumber());
      const commit = (stored: ResponseRow): Promise<void> =>
        commitCreation({ row, response: stored }).catch(async (error: unknown) => {
          throw error instanceof ReferenceTaken ? await problemOfReference(database, row) : error;
        });
      return { response, commit };
    },
  };
}

/** A shipment to insert, and its response, which becomes the data of its event. */
interface Creation {
  row: NewShipment;
  response: ResponseRow;
}

/** Another shipment of the account that is not cancelled has the reference. */
class ReferenceTaken extends Conflict {}

const insertRows = rowInsertion<NewShipment>(
  'shipments',
  {
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
  },
  { status: literal(initialTransition.to), version: sql.lit(1) },
);

/** Inserts shipments with the first entries of their timelines. @throws {ReferenceTaken} when the transaction ends */
async function insertShipments(trx: Transaction<Tables>, creations: Creation[], isCitus: boolean): Promise<EventRow[]> {
  const rows = inLockOrder(
    creations.map(({ row }) => row),
    ({ account_id, reference }) => `${account_id} ${reference}`,
  );
  await executeWithNextStatement(trx, insertRows(rows, isCitus), (error) =>
    isDuplicate(error, 'shipments_open_reference') ? new ReferenceTaken() : error,
  );
  const { to: status, description } = initialTransition;
  const entryOf = ({ account_id, id, updated_at }: NewShipment) => ({
    account_id,
    shipment_id: id,
    occurred_at: updated_at,
    version: 1,
    status,
    description,
  });
  await insertTimelineEntries(trx, rows.map(entryOf), isCitus);
  return creations.map(({ row: { account_id, id }, response: { body } }) => ({
    account_id,
    type: 'shipment.created',
    shipment_id: id,
    data: `{"shipment":${body}}`,
  }));
}

async function problemOfReference(
  database: Database,
  { account_id, reference }: Pick<NewShipment, 'account_id' | 'reference'>,
): Promise<Problem> {
  const other = await database
    .ofAccount(account_id)
    .selectFrom('shipments')
    .select('id')
    .where('account_id', '=', account_id)
    .where('reference', '=', reference)
    .where('status', '<>', literal('cancelled'))
    .executeTakeFirst();
  // The other shipment was cancelled meanwhile.
  if (!other) return new Problem('unavailable', 'The reference has just become free. Send the request again.');
  return new Problem('reference_taken', `Another shipment has the reference ${reference}.`, {
    shipment_id: publicId('ship', other.id),
  });
}
