import { statusesBefore } from '@waybill/contract/statuses-before';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { maxUnboundUploads, uploadLimitReached } from '@waybill/http/files/uploads';
import { newUuid, publicId, uuidFromPublicId } from '@waybill/http/identifiers';
import { Problem } from '@waybill/http/problems';
import { checkHandoverCode, wrongHandoverCode } from '@waybill/http/shipments/handover';
import { requireSignatureOrPhoto, requireUnattendedAllowed } from '@waybill/http/shipments/proof';
import { notDelivered, uploadsNotAccepted } from '@waybill/http/shipments/refusals';
import { requirePossible, trackingFrom } from '@waybill/http/shipments/tracking';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { RefusalWithEffect } from '../operations/commit-write.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import { type UnsignedProof, unsignedUrl } from '../operations/serialize.ts';
import { readLockedTracking } from '../tracking/handlers.ts';
import { lockShipmentOrThrow } from '../tracking/positions.ts';
import { getCurrentStatusOrThrow, transition } from '../tracking/queries.ts';
import {
  bindUploadsOrThrow,
  countUnboundUploads,
  findProof,
  insertProof,
  insertUpload,
  lockForDelivery,
  type Proof,
  reserveBytes,
  storeWrongHandoverCodes,
} from './queries.ts';

const deliverable = statusesBefore('delivered');

interface Options {
  /** How many bytes the files of an account may have together. */
  storageBytes: number;
}

/** The operations on proofs of delivery. `fileHandlers` has those on their files. */
export const proofHandlers = ({
  storageBytes,
}: Options): Pick<Handlers, 'createProofUpload' | 'submitProofOfDelivery' | 'getProofOfDelivery'> => ({
  async createProofUpload({ path, body }, { accountId, beforeCommit, db, now }) {
    // Other uploads of the shipment wait, so that the count includes them.
    const shipment = await lockShipmentOrThrow(db, accountId, path.tracking_number);
    if (!deliverable.has(shipment.status)) throw uploadsNotAccepted(shipment.status);
    const unbound = await countUnboundUploads(db, accountId, shipment.id, now);
    if (unbound.count >= maxUnboundUploads) throw uploadLimitReached(unbound.oldest, now);
    const id = newUuid();
    await insertUpload(db, accountId, {
      ...body,
      id,
      shipment_id: shipment.id,
      sha256: Buffer.from(body.sha256, 'hex'),
      created_at: now,
    });
    beforeCommit(async () => {
      if (await reserveBytes(db, accountId, body.size, storageBytes)) return;
      const detail = `The files of an account are limited to ${storageBytes} bytes in total.`;
      throw new Problem('storage_quota_exceeded', detail, {}, { 'Retry-After': '3600' });
    });
    return {
      status: 201,
      body: {
        upload_id: publicId('upl', id),
        upload_url: unsignedUrl(id),
        method: 'PUT',
        headers: { 'Content-Type': body.content_type },
      },
    };
  },

  async submitProofOfDelivery({ path, body }, context) {
    const { accountId, addEvent, db, now } = context;
    requireSignatureOrPhoto(body);
    requirePossible(body.location);
    const deliveredAt = dateOf(body.delivered_at);
    const shipment = await lockForDelivery(db, accountId, path.tracking_number);
    await requireHandoverCode(db, accountId, shipment, body.handover_code);
    const shipmentId = await transition(db, accountId, path, {
      operation: 'submitProofOfDelivery',
      to: 'delivered',
      occurred: { at: deliveredAt, field: 'delivered_at' },
      now,
    });
    requireUnattendedAllowed(body, shipment.details);
    const photos = await bindUploadsOrThrow(db, accountId, shipmentId, body, now);
    const { signed_by = null } = body;
    const signature = body.signature === undefined ? null : uuidFromPublicId('upl', body.signature);
    const { lat = null, lng = null } = body.location ?? {};
    const proof = { delivered_at: deliveredAt, signed_by, signature, photos, lat, lng };
    await insertProof(db, accountId, shipmentId, proof);
    const data = { tracking: trackingFrom(await readLockedTracking(db, accountId, path.tracking_number)) };
    addEvent({ type: 'tracking.status_reached', shipmentId, data });
    addEvent({ type: 'proof_of_delivery.submitted', shipmentId, data });
    return { status: 201, body: proofFrom(proof, path.tracking_number) };
  },

  async getProofOfDelivery({ path }, { accountId, db }) {
    const proof = await findProof(db, accountId, path.tracking_number);
    if (proof) return { status: 200, body: proofFrom(proof, path.tracking_number) };
    const shipment = await getCurrentStatusOrThrow(db, accountId, path);
    throw notDelivered(shipment.status);
  },
});

/**
 * Requires the handover code of a locked shipment. A wrong one is counted: this commits with the refusal and its stored
 * response, so that a repeated request counts once.
 * @throws {Problem} handover_code_required, handover_code_locked; RefusalWithEffect handover_code_wrong
 */
async function requireHandoverCode(
  db: Kysely<Tables>,
  accountId: string,
  shipment: Awaited<ReturnType<typeof lockForDelivery>>,
  sent: string | undefined,
): Promise<void> {
  const { id, status, handover_code: code, wrong_handover_codes: wrongCodes } = shipment;
  if (checkHandoverCode(sent, { status, code, wrongCodes }) === 'right') return;
  await storeWrongHandoverCodes(db, accountId, id, wrongCodes + 1);
  throw new RefusalWithEffect(wrongHandoverCode(wrongCodes + 1));
}

function proofFrom(proof: Omit<Proof, 'account_id' | 'shipment_id'>, trackingNumber: string): UnsignedProof {
  const { delivered_at, signed_by, signature, photos, lat, lng } = proof;
  return {
    tracking_number: trackingNumber,
    delivered_at: delivered_at.toISOString(),
    ...(signed_by !== null && { signed_by }),
    ...(signature === null ? { unattended: true } : { signature_url: unsignedUrl(signature) }),
    photos: photos.map(unsignedUrl),
    ...(lat !== null && lng !== null && { location: { lat, lng } }),
  };
}
