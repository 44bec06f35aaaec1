import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { notFound, Problem } from '@waybill/http/problems';
import { newUuid, publicId, uuidFromPublicId } from '../database/identifiers.ts';
import type { Services } from '../feature.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import { type UnsignedProof, unsignedUrl } from '../operations/serialize.ts';
import type { Write } from '../operations/write.ts';
import { getShipment, lockShipment, requireTransition, transition } from '../tracking/queries.ts';
import { requirePossible } from '../tracking/reports.ts';
import { readLockedTracking } from '../tracking/status.ts';
import {
  isHandoverCode,
  requireAttempt,
  requireSignatureOrPhoto,
  requireUnattendedAllowed,
  wrongHandoverCode,
} from './delivery.ts';
import {
  bindUploadsOrThrow,
  countUploads,
  endUpload,
  findProof,
  insertProof,
  insertUpload,
  type Proof,
  requireUsableUploads,
  reserveBytes,
  selectUnboundUploads,
  storeWrongHandoverCodes,
  type UnboundUpload,
} from './queries.ts';
import { maxRecentUploads, maxUnboundUploads, notDelivered, requireUploadable, uploadLimitReached } from './uploads.ts';

/** The operations on proofs of delivery. `fileHandlers` has those on their files. */
export const proofHandlers = ({
  storageBytes,
}: Pick<Services, 'storageBytes'>): Pick<
  Handlers,
  'createProofUpload' | 'listProofUploads' | 'deleteProofUpload' | 'submitProofOfDelivery' | 'getProofOfDelivery'
> => ({
  async createProofUpload({ path, body }, { accessId, accountId, beforeCommit, db, now }) {
    // Other uploads of the shipment wait, so that the count includes them.
    const shipment = await lockShipment(db, accountId, path, ['id', 'status']);
    requireUploadable(body.kind, shipment.status);
    const { unbound, recent } = await countUploads(db, shipment, accessId, now);
    if (unbound.count >= maxUnboundUploads) throw uploadLimitReached(maxUnboundUploads, unbound.firstEnd, now);
    if (recent.count >= maxRecentUploads) throw uploadLimitReached(maxRecentUploads, recent.firstEnd, now);
    const id = newUuid();
    await insertUpload(db, accountId, {
      ...body,
      id,
      shipment_id: shipment.id,
      sha256: Buffer.from(body.sha256, 'hex'),
      created_at: now,
      access_id: accessId,
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

  async listProofUploads({ path }, { accessId, accountId, db, now }) {
    const shipment = await getShipment(db, accountId, path, ['id']);
    const uploads = await selectUnboundUploads(db, shipment, accessId, now);
    return { status: 200, body: { data: uploads.map(uploadFrom) } };
  },

  async deleteProofUpload({ path }, { accessId, accountId, db, now }) {
    const shipment = await getShipment(db, accountId, path, ['id']);
    const isEnded = await endUpload(db, shipment, { ...path, accessId }, now);
    if (!isEnded) throw notFound('unfinished upload', path.upload_id);
    return { status: 204, body: undefined };
  },

  submitProofOfDelivery,

  async getProofOfDelivery({ path }, { accountId, db }) {
    const proof = await findProof(db, accountId, path.tracking_number);
    if (proof) return { status: 200, body: proofFrom(proof, path.tracking_number) };
    const shipment = await getShipment(db, accountId, path, ['status']);
    throw notDelivered(shipment.status);
  },
});

const deliveryAt = (deliveredAt: string, now: Date): Parameters<typeof transition>[3] => ({
  operation: 'submitProofOfDelivery',
  to: 'delivered',
  occurred: { at: dateOf(deliveredAt), field: 'delivered_at' },
  now,
});

/** What decides on a delivery. */
const deliveryColumns = ['id', 'details', 'handover_code', 'wrong_handover_codes'] as const;

const submitProofOfDelivery: Write<'submitProofOfDelivery'> = {
  /**
   * Compares the handover code. All other refusals come first, and each attempt is counted before (decision 0031), so that
   * neither a response nor its time tells of a code that is not counted.
   * @returns the code of the shipment; null without one
   */
  async precheck({ path, body }, { accountId, countGuess, db, now }) {
    requireSignatureOrPhoto(body);
    requirePossible(body.location);
    const { handover_code } = await getShipment(db, accountId, path, ['handover_code']);
    if (handover_code === null) return null;
    const sent = body.handover_code;
    const { code, count } = await countGuess(async (trx, points) => {
      const shipment = await lockShipment(trx, accountId, path, deliveryColumns);
      if (shipment.handover_code === null) return { code: null, count: 0 }; // it has been removed meanwhile
      await requireTransition(trx, accountId, path, deliveryAt(body.delivered_at, now));
      requireUnattendedAllowed(body, shipment.details);
      await requireUsableUploads(trx, shipment, body, now);
      const count = Math.max(1, shipment.wrong_handover_codes + points); // another code since the count begins at 0
      requireAttempt(sent, count - 1);
      await storeWrongHandoverCodes(trx, shipment, count);
      return { code: shipment.handover_code, count };
    });
    if (sent !== undefined && code !== null && !isHandoverCode(sent, code)) throw wrongHandoverCode(count);
    return code;
  },

  async perform({ path, body }, { accountId, addEvent, checked, db, now }) {
    const shipment = await lockShipment(db, accountId, path, deliveryColumns);
    // The code that the shipper has set meanwhile is not compared, because that would not be counted.
    if (shipment.handover_code !== null && shipment.handover_code !== checked)
      throw new Problem('unavailable', 'The handover code has just changed. Send the request again.');
    await transition(db, accountId, path, deliveryAt(body.delivered_at, now));
    requireUnattendedAllowed(body, shipment.details);
    const photos = await bindUploadsOrThrow(db, shipment, body, now);
    const { signed_by = null } = body;
    const signature = body.signature === undefined ? null : uuidFromPublicId('upl', body.signature);
    const { lat = null, lng = null } = body.location ?? {};
    const proof = { delivered_at: dateOf(body.delivered_at), signed_by, signature, photos, lat, lng };
    await insertProof(db, shipment, proof);
    const data = { tracking: await readLockedTracking(db, accountId, path.tracking_number) };
    addEvent({ type: 'tracking.status_reached', shipmentId: shipment.id, data });
    addEvent({ type: 'proof_of_delivery.submitted', shipmentId: shipment.id, data });
    return { status: 201, body: proofFrom(proof, path.tracking_number) };
  },
};

const uploadFrom = ({
  id,
  access_id,
  created_at,
  verified_at,
  ends_at,
  ...upload
}: UnboundUpload): components['schemas']['UnfinishedUpload'] => ({
  upload_id: publicId('upl', id),
  ...upload,
  ...(access_id !== null && { access_id: publicId('acc', access_id) }),
  created_at: created_at.toISOString(),
  ...(verified_at !== null && { received_at: verified_at.toISOString() }),
  ends_at: ends_at.toISOString(),
});

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
