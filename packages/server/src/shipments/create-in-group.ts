import { newUuid, timeOfUuid, trackingNumber } from '@waybill/http/identifiers';
import { initialTransition } from '@waybill/http/shipments/lifecycle';
import { groupCommit } from '../database/group-commit.ts';
import { nextSequenceNumber } from '../database/tracking-sequence.ts';
import type { PreparedResponse } from '../idempotency/execute-write.ts';
import { newStoredResponse } from '../idempotency/stored-responses.ts';
import type { GroupHandler } from '../operations/handler-types.ts';
import { createdResponse, detailsFrom } from './handlers.ts';
import { insertGroup, type NewShipmentRow } from './insert-group.ts';

interface Creation {
  row: NewShipmentRow;
  prepared: PreparedResponse;
}

const groupOptions = {
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
};

const insertTogether = groupCommit(groupOptions, async (db, creations: Creation[]) => {
  const results = await insertGroup(db, { shipments: creations.map(({ row }) => row) });
  const resultOf = new Map(results.map(({ id, result }) => [id, result]));
  return creations.map(({ row, prepared }) => {
    const result = resultOf.get(row.id);
    if (!result) throw new Error('PostgreSQL returned no result for a shipment');
    return result === 'inserted' ? prepared : result;
  });
});

/** Creates a shipment together with concurrent requests. Its response is known before it is inserted. */
export const createShipmentInGroup: GroupHandler<'createShipment'> = async ({ body }, context) => {
  const { accountId, basePath, db, keyedRequest, prepareResponse, trackingPrefix } = context;
  const details = detailsFrom(body);
  const id = newUuid();
  const createdAt = timeOfUuid(id);
  const number = trackingNumber(trackingPrefix, createdAt, await nextSequenceNumber(db));
  // created_at is not a column: responses read it from the id (decision 0009).
  const newRow = { ...details, account_id: accountId, id, tracking_number: number, updated_at: createdAt };
  const { origin, destination } = body;
  // The details have the addresses as text.
  const rowAsRead = { ...newRow, origin, destination, status: initialTransition.to, cancellation_reason: null };
  const prepared = prepareResponse(createdResponse(rowAsRead, basePath));
  return insertTogether(db, {
    row: { ...newRow, ...newStoredResponse(keyedRequest, prepared.response) },
    prepared,
  });
};
