import type { components } from '@waybill/contract/types';
import type { Kysely, NotNull, Selectable } from 'kysely';
import { executeWithNextStatement } from '../database/driver.ts';
import { publicId } from '../database/identifiers.ts';
import type { Tables } from '../database/tables.ts';
import { isoText } from '../database/times.ts';
import { isUsable } from '../proof/queries.ts';
import { requireUploads } from '../proof/uploads.ts';
import type { ShipmentKey } from '../tracking/queries.ts';

type Schemas = components['schemas'];

const columns = ['id', 'document_type', 'description', 'content_type', 'size', 'bound_at'] as const;
type Columns = Pick<Selectable<Tables['proof_uploads']>, (typeof columns)[number]>;
/** A document is a bound upload, and has its id. */
export type StoredDocument = {
  [Name in keyof Columns]: Name extends 'description' ? Columns[Name] : NonNullable<Columns[Name]>;
};

/** A document as callers see it, without its URL. */
export const documentFrom = ({
  id,
  document_type,
  description,
  content_type,
  size,
  bound_at,
}: StoredDocument): Schemas['Document'] => ({
  id: publicId('doc', id),
  type: document_type,
  ...(description !== null && { description }),
  content_type,
  size,
  added_at: isoText(bound_at),
});

/** The documents of a shipment, in the order in which they were added. */
export const selectDocuments = (db: Kysely<Tables>, { accountId, id }: ShipmentKey): Promise<StoredDocument[]> =>
  db
    .selectFrom('proof_uploads')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', id)
    .where('document_type', 'is not', null)
    .where('bound_at', 'is not', null)
    .orderBy('bound_at')
    .orderBy('id')
    .$narrowType<{ document_type: NotNull; bound_at: NotNull }>()
    .execute();

/** Makes an upload a document of a locked shipment. @throws {Problem} unknown_upload */
export async function bindDocumentOrThrow(
  db: Kysely<Tables>,
  shipment: ShipmentKey,
  { upload_id: document, type, description }: Schemas['DocumentRequest'],
  now: Date,
): Promise<StoredDocument> {
  const files = { document };
  const bound = await db
    .updateTable('proof_uploads')
    .set({ bound_at: now, document_type: type, description: description ?? null })
    .where(isUsable(shipment, files, now))
    .returning([...columns, 'kind'])
    .$narrowType<{ document_type: NotNull; bound_at: NotNull }>()
    .execute();
  requireUploads(files, bound);
  return bound[0] as StoredDocument;
}

/** Ends the upload of a document of a locked shipment. Clean-up removes it. @param id a uuid */
export async function unbindDocument(db: Kysely<Tables>, shipment: ShipmentKey, id: string, now: Date): Promise<void> {
  const update = db
    .updateTable('proof_uploads')
    .set({ bound_at: null, ended_at: now })
    .where('account_id', '=', shipment.accountId)
    .where('shipment_id', '=', shipment.id)
    .where('id', '=', id);
  await executeWithNextStatement(db, update);
}
