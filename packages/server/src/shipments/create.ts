import type { components } from '@waybill/contract/types';
import { newUuid, publicId, timeOfUuid, trackingNumber } from '@waybill/http/identifiers';
import { Problem } from '@waybill/http/problems';
import { detailsOf } from '@waybill/http/shipments/details';
import { initialTransition } from '@waybill/http/shipments/lifecycle';
import { referenceTaken } from '@waybill/http/shipments/refusals';
import type { Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { groupCommit } from '../database/group-commit.ts';
import type { Tables } from '../database/tables.ts';
import { sequenceNumbers, takeSequenceNumbers } from '../database/tracking-sequence.ts';
import type { PreparedResponse } from '../operations/execute-write.ts';
import type { ResponseOf, Write } from '../operations/handler-types.ts';
import { newStoredResponse } from '../operations/stored-responses.ts';
import {
  findShipmentIdByReference,
  insertGroup,
  insertShipment,
  type NewShipment,
  type NewShipmentRow,
} from './insert.ts';
import { columnsOf, shipmentFrom } from './queries.ts';

interface Options {
  database: Database;
  /** The path of the base URL, such as `/v1`. */
  basePath: string;
  /** The first part of tracking numbers. */
  trackingPrefix: string;
}

interface Creation {
  row: NewShipmentRow;
  prepared: PreparedResponse;
}

/** Creates shipments. The response is known before the shipment is inserted. */
export function shipmentCreation({ database, basePath, trackingPrefix }: Options): Write<'createShipment'> {
  const nextNumber = sequenceNumbers(database);
  const insertTogether = groupCommit(
    database,
    {
      name: 'create_shipments',
      maxRunning: 2,
      maxItems: 64,
      /** In characters. */
      weight: {
        max: 1_000_000,
        of: ({ row }: Creation) => row.origin.length + row.destination.length + row.response_body.length,
      },
      /** Shipments with the same reference are inserted one after the other, so that the second finds the first. */
      exclusiveKey: ({ row }: Creation) => (row.reference === null ? undefined : `${row.account_id} ${row.reference}`),
    },
    async (creations) => {
      const results = await insertGroup(database, { shipments: creations.map(({ row }) => row) });
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
    const stored = { status: initialTransition.to, cancellation_reason: null };
    const shipment = shipmentFrom({ ...row, origin, destination, details, ...stored });
    const headers = { location: `${basePath}/shipments/${shipment.id}` };
    const response: ResponseOf<'createShipment'> = { status: 201, headers, body: shipment };
    return { row, response };
  };

  return {
    executeInGroup({ body }, { accountId, keyedRequest, prepareResponse }) {
      return insertTogether(async () => {
        const { row, response } = newShipment(accountId, body, await nextNumber());
        return { row: { ...row, ...newStoredResponse(keyedRequest, response) }, prepared: prepareResponse(response) };
      });
    },
    async execute({ body }, { accountId, appendEvent, db }) {
      // Not `nextNumber`, which needs a connection besides that of the transaction.
      const [number] = (await takeSequenceNumbers(db, 1)) as [string];
      const { row, response } = newShipment(accountId, body, number);
      if (!(await insertShipment(db, row))) throw await whyNotCreated(db, accountId, body.reference ?? '');
      appendEvent({ type: 'shipment.created', shipmentId: row.id, data: { shipment: response.body } });
      return response;
    },
  };
}

async function whyNotCreated(db: Transaction<Tables>, accountId: string, reference: string): Promise<Problem> {
  const id = await findShipmentIdByReference(db, accountId, reference);
  // The other shipment was cancelled between the two statements.
  if (!id) return new Problem('unavailable', 'The reference has just become free. Send the request again.');
  return referenceTaken(reference, publicId('ship', id));
}
