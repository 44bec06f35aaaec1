import { lifecycle } from '@waybill/contract/lifecycle';
import { initialStatus } from '@waybill/contract/statuses';
import type { components } from '@waybill/contract/types';
import { sql, type Transaction } from 'kysely';
import { andThen } from '../concurrency/time-limit.ts';
import { executeWithNextStatement } from '../database/driver.ts';
import { Conflict } from '../database/errors.ts';
import { newUuid, timeOfUuid, trackingNumber } from '../database/identifiers.ts';
import { literal } from '../database/statements/expressions.ts';
import { inLockOrder, rowInsertion } from '../database/statements/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import type { NewEventRow } from '../event-feed/append.ts';
import type { Services } from '../feature.ts';
import { groupCommit } from '../operations/group-commit.ts';
import type { ResponseRow } from '../operations/stored-responses.ts';
import type { PlannedWrite } from '../operations/write.ts';
import { isReferenceTaken } from '../tracking/queries.ts';
import { insertFirstEntries } from '../tracking/timeline.ts';
import { fieldsOf } from './changes.ts';
import { requireMeasurable } from './items.ts';
import { insertReferences, problemOfReference } from './references.ts';
import { columnsOf, detailsOf, type NewShipment, shipmentFrom } from './shipment.ts';
import { sequenceNumbers } from './tracking-numbers.ts';

/** Creates shipments. The response is known before the shipment is inserted. */
export function shipmentCreation({
  database,
  basePath,
  trackingPrefix,
}: Pick<Services, 'database' | 'basePath' | 'trackingPrefix'>): PlannedWrite<'createShipment', PlannedShipment> {
  const nextNumber = sequenceNumbers(database);
  return {
    plan({ body }, { accountId }) {
      const fields = fieldsOf(body);
      requireMeasurable(fields);
      return andThen(nextNumber(), (number) => {
        const id = newUuid();
        const createdAt = timeOfUuid(id);
        const details = detailsOf(fields);
        const planned: PlannedShipment = {
          account_id: accountId,
          id, // created_at is not a column: responses read it from the id (decision 0009)
          tracking_number: trackingNumber(trackingPrefix, createdAt, number),
          type: fields.type,
          ...columnsOf(fields, details),
          updated_at: createdAt,
          references: fields.references,
        };
        const { origin, destination } = fields; // `planned` has them as JSON
        const initial = { status: initialStatus, cancellation_reason: null };
        const shipment = shipmentFrom({ ...planned, origin, destination, details, ...initial });
        const headers = { location: `${basePath}/shipments/${shipment.id}` };
        return { response: { status: 201, headers, body: shipment }, planned };
      });
    },
    commit: groupCommit(database, {
      name: 'create_shipments',
      /** In characters. */
      size: {
        max: 1_000_000,
        of: ({ origin, destination, response }) => origin.length + destination.length + response.body.length,
      },
      /** Shipments with the same reference are never in one group, and their groups run one after the other. */
      exclusiveKey: (shipment) => (shipment.reference === null ? undefined : referenceOf(shipment)),
      change: insertShipments,
      refusalOf: async (error, shipment) =>
        error instanceof ReferenceTaken ? problemOfReference(database.ofAccount(shipment.account_id), shipment) : error,
    }),
  };
}

type PlannedShipment = NewShipment & { references: components['schemas']['ShipmentReference'][] | undefined };

/** A shipment to insert, and its response, which becomes the data of its event. */
type Creation = PlannedShipment & { response: ResponseRow };

const referenceOf = ({ account_id, reference }: NewShipment): string => `${account_id} ${reference}`;

/** That of a shipment and of the first entry of its timeline. */
const firstVersion = 1;

/** Another shipment of the account that has not ended has the reference. */
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
  { status: literal(initialStatus), version: sql.lit(firstVersion) },
);

/** Inserts shipments with the first entries of their timelines. @throws {ReferenceTaken} by the next statement or the commit */
async function insertShipments(
  trx: Transaction<Tables>,
  creations: Creation[],
  isCitus: boolean,
): Promise<NewEventRow[]> {
  const rows = inLockOrder(creations, referenceOf);
  await executeWithNextStatement(trx, insertRows(rows, isCitus), (error) =>
    isReferenceTaken(error) ? new ReferenceTaken() : error,
  );
  const { description } = lifecycle[initialStatus];
  const entryOf = ({ account_id, id, updated_at }: NewShipment) => ({
    account_id,
    shipment_id: id,
    occurred_at: updated_at,
    version: firstVersion,
    status: initialStatus,
    description,
  });
  await insertFirstEntries(trx, rows.map(entryOf), isCitus);
  for (const row of rows) if (row.references) await insertReferences(trx, row, row.references, isCitus);
  return creations.map(({ account_id, id, response: { body } }) => ({
    account_id,
    type: 'shipment.created',
    shipment_id: id,
    data: `{"shipment":${body}}`,
  }));
}
