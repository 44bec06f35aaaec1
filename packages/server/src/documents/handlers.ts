import { maxDocuments } from '@waybill/contract/limits';
import { notFound, Problem } from '@waybill/http/problems';
import { publicId, uuidFromPublicId } from '../database/identifiers.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import { type UnsignedDocument, unsignedUrl } from '../operations/serialize.ts';
import { getShipment, lockShipment, type TrackedShipment, trackedColumns } from '../tracking/queries.ts';
import { bindDocumentOrThrow, documentFrom, type StoredDocument, selectDocuments, unbindDocument } from './queries.ts';

/** The operations on documents. Writes of a shipment are executed one after the other: each locks it. */
export const documentHandlers: Pick<Handlers, 'addDocument' | 'listDocuments' | 'deleteDocument'> = {
  async addDocument({ path, body }, { accountId, addEvent, db, now }) {
    const shipment = await lockShipment(db, accountId, path, trackedColumns);
    if ((await selectDocuments(db, shipment)).length >= maxDocuments)
      throw new Problem('document_limit_reached', `The shipment has ${maxDocuments} documents.`);
    const document = await bindDocumentOrThrow(db, shipment, body, now);
    addEvent(changeOf('document.added', shipment, document));
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
};

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
