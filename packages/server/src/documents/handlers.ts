import { maxDocuments } from '@waybill/contract/limits';
import { entryOf } from '@waybill/contract/statuses';
import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { fieldProblem, notFound, Problem } from '@waybill/http/problems';
import { publicId, uuidFromPublicId } from '../database/identifiers.ts';
import type { Services } from '../feature.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import { type UnsignedDocument, unsignedUrl } from '../operations/serialize.ts';
import { getShipment, lockShipment, type TrackedShipment, trackedColumns } from '../tracking/queries.ts';
import { readLockedTracking } from '../tracking/status.ts';
import { columnsOfProof, lockTimeline, recordWithoutProof } from '../tracking/timeline.ts';
import { bindDocumentOrThrow, documentFrom, type StoredDocument, selectDocuments, unbindDocument } from './queries.ts';

/** The operations on documents. Writes of a shipment are executed one after the other: each locks it. */
export const documentHandlers = (_: Services): Pick<Handlers, 'addDocument' | 'listDocuments' | 'deleteDocument'> => ({
  async addDocument({ path, body }, { accessId, accountId, addEvent, db, now }) {
    const at = deliveryOf(body);
    const { shipment, entries } = await lockTimeline(db, accountId, path, columnsOfProof);
    if ((await selectDocuments(db, shipment)).length >= maxDocuments)
      throw new Problem('document_limit_reached', `The shipment has ${maxDocuments} documents.`);
    const document = await bindDocumentOrThrow(db, shipment, body, now);
    let changed: TrackedShipment = shipment;
    if (at && !entryOf(entries, 'delivered')) {
      const reached = { status: 'delivered', at, accessId, now } as const;
      const recorded = await recordWithoutProof(db, shipment, entries, reached);
      const tracking = await readLockedTracking(db, accountId, path.tracking_number);
      changed = recorded.shipment;
      addEvent({ type: 'tracking.status_reached', shipmentId: shipment.id, data: { tracking } });
      for (const change of recorded.changes) addEvent(change);
    }
    addEvent(changeOf('document.added', changed, document));
    return { status: 201, body: withUrl(document) };
  },

  async listDocuments({ path }, { accountId, db }) {
    const shipment = await getShipment(db, accountId, path, ['id']);
    return { status: 200, body: { data: (await selectDocuments(db, shipment)).map(withUrl) } };
  },

  async deleteDocument({ path }, { accountId, addEvent, db, now }) {
    const { tracking_number, document_id } = path;
    const shipment = await lockShipment(db, accountId, { tracking_number }, trackedColumns);
    const id = uuidFromPublicId('doc', document_id);
    const document = (await selectDocuments(db, shipment)).find((each) => each.id === id);
    if (!document) throw notFound('document', document_id);
    await unbindDocument(db, shipment, id, now);
    addEvent(changeOf('document.removed', shipment, document));
    return { status: 204, body: undefined };
  },
});

/** The time of the delivery that a document proves. @throws {Problem} invalid_request for a document that proves none */
function deliveryOf({ type, delivered_at }: components['schemas']['DocumentRequest']): Date | undefined {
  if (delivered_at === undefined) return undefined;
  if (type === 'proof_of_delivery') return dateOf(delivered_at);
  const detail = 'is possible only with the type proof_of_delivery';
  throw fieldProblem('invalid_request', [{ in: 'body', pointer: '/delivered_at', code: 'not_allowed', detail }]);
}

const withUrl = (document: StoredDocument): UnsignedDocument => ({
  ...documentFrom(document),
  url: unsignedUrl(document.id),
});

const changeOf = (
  type: 'document.added' | 'document.removed',
  { id, tracking_number, status }: TrackedShipment,
  stored: StoredDocument,
) => {
  const document_change = {
    shipment_id: publicId('ship', id),
    tracking_number,
    status,
    document: documentFrom(stored),
  };
  return { type, shipmentId: id, data: { document_change } };
};
