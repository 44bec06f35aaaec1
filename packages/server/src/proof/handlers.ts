import { entryOf, furthest, isFinal } from '@waybill/contract/statuses';
import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { notFound, Problem } from '@waybill/http/problems';
import type { Transaction } from 'kysely';
import { newUuid, publicId, uuidFromPublicId } from '../database/identifiers.ts';
import type { Tables } from '../database/tables.ts';
import { isoText } from '../database/times.ts';
import type { Services } from '../feature.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import { type UnsignedProof, unsignedUrl } from '../operations/serialize.ts';
import type { Write } from '../operations/write.ts';
import { withdrawReport } from '../tracking/positions.ts';
import { getShipment, holderOfReference, lockShipment, referenceTaken, type ShipmentKey } from '../tracking/queries.ts';
import { requirePossible } from '../tracking/reports.ts';
import { readLockedTracking } from '../tracking/status.ts';
import { reopenExceptions } from '../tracking/stored-exceptions.ts';
import {
  entryUuid,
  type LockedShipment,
  lockTimeline,
  recordStatus,
  requirePossibleStatus,
  requireVoidable,
  type StoredEntry,
  updateStatus,
  voidEntry,
} from '../tracking/timeline.ts';
import {
  countedItems,
  isHandoverCode,
  requireAttempt,
  requireSignatureOrPhoto,
  requireUnattendedAllowed,
  suggestedExceptions,
  wrongHandoverCode,
} from './delivery.ts';
import {
  bindUploadsOrThrow,
  countUploads,
  endUpload,
  findProof,
  hasProof,
  insertProof,
  insertUpload,
  type Proof,
  requireUsableUploads,
  reserveBytes,
  selectUnboundUploads,
  storeWrongHandoverCodes,
  type UnboundUpload,
  voidProof,
} from './queries.ts';
import { maxRecentUploads, maxUnboundUploads, requireUploadable, uploadLimitReached } from './uploads.ts';

type Schemas = components['schemas'];

/** The operations on proofs of delivery. `fileHandlers` has those on their files. */
export const proofHandlers = ({
  storageBytes,
}: Pick<Services, 'storageBytes'>): Pick<
  Handlers,
  | 'createProofUpload'
  | 'listProofUploads'
  | 'deleteProofUpload'
  | 'submitProofOfDelivery'
  | 'getProofOfDelivery'
  | 'voidTrackingEvent'
> => ({
  async createProofUpload({ path, body }, { accessId, accountId, beforeCommit, db, now }) {
    // Other uploads of the shipment wait, so that the count includes them.
    const shipment = await lockShipment(db, accountId, path, ['id', 'status']);
    requireUploadable(body, shipment.status);
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
    throw new Problem(
      'proof_not_available',
      `The shipment has no proof of delivery yet. Its status is ${shipment.status}.`,
      {
        current_status: shipment.status,
      },
    );
  },

  /** Takes back an entry of the timeline, with the proof of its end. */
  async voidTrackingEvent({ path, body }, { accessId, accountId, addEvent, db, now }) {
    const { shipment, entries } = await lockTimeline(db, accountId, path, ['reference']);
    const { id, status: before } = shipment;
    const entry = entries.find((each) => publicId('tev', entryUuid(each, id)) === path.event_id);
    // A voided entry is not visible to an access.
    if (!entry || (accessId !== null && entry.voided_at !== null)) throw notFound('tracking event', path.event_id);
    requireVoidable(entry, shipment, { accessId, now });
    const status = furthest(entries.flatMap((each) => (each === entry || each.voided_at ? [] : each.status)));
    if (isFinal(before) && !isFinal(status)) await requireFreeReference(db, shipment);
    await voidEntry(db, shipment, entry, { now, reason: body.reason });
    if (isFinal(entry.status)) await voidProof(db, shipment, now);
    const isUncancelled = entry.status === 'cancelled' && { cancellation_reason: null };
    await updateStatus(db, shipment, { status, updated_at: now, ...isUncancelled });
    const continued = { ...shipment, status };
    const changes = await reopenExceptions(db, continued, entry.version);
    const came = { source: entryUuid(entry, id), at: new Date(entry.occurred_at), wasEnded: isFinal(before) };
    changes.push(...(await withdrawReport(db, continued, came)));
    const tracking = await readLockedTracking(db, accountId, path.tracking_number);
    addEvent({ type: 'tracking.event_voided', shipmentId: id, data: { tracking } });
    for (const change of changes) addEvent(change);
    return { status: 200, body: tracking };
  },
});

/** What decides on a proof, beside the status. */
const deliveryColumns = ['details', 'handover_code', 'wrong_handover_codes'] as const;

type Proven = NonNullable<Schemas['ProofOfDeliveryRequest']['status']>;

/** Only a delivery needs what the shipper requires of it. */
const codeFor = (status: Proven, { handover_code }: { handover_code: string | null }): string | null =>
  status === 'delivered' ? handover_code : null;

/**
 * Requires that a proof is possible: its status is recorded without a proof, or can be recorded.
 * @throws {Problem} proof_submitted, and those of `requirePossibleStatus`
 */
async function requireProvable(
  db: Transaction<Tables>,
  shipment: LockedShipment,
  entries: StoredEntry<string>[],
  reached: { status: Proven; accessId: string | null },
): Promise<void> {
  if (!entryOf(entries, reached.status)) return requirePossibleStatus(shipment, entries, reached);
  if (await hasProof(db, shipment)) throw new Problem('proof_submitted', 'The shipment has a proof already.');
}

/** Requires of a shipment that continues that no other one has its reference meanwhile. @throws {Problem} reference_taken */
async function requireFreeReference(
  db: Transaction<Tables>,
  { accountId, id, reference }: ShipmentKey & { reference: string | null },
): Promise<void> {
  const holder = reference === null ? undefined : await holderOfReference(db, accountId, reference);
  if (reference !== null && holder !== undefined && holder !== id) throw referenceTaken(reference, holder);
}

const submitProofOfDelivery: Write<'submitProofOfDelivery'> = {
  /**
   * Compares the handover code. All other refusals come first, and each attempt is counted before (decision 0031), so that
   * neither a response nor its time tells of a code that is not counted.
   * @returns the code of the shipment; null without one
   */
  async precheck({ path, body }, { accessId, accountId, countGuess, db, now }) {
    const { status = 'delivered' } = body;
    requireSignatureOrPhoto(body);
    requirePossible(body.location);
    if (codeFor(status, await getShipment(db, accountId, path, ['handover_code'])) === null) return null;
    const sent = body.handover_code;
    const { code, count } = await countGuess(async (trx, points) => {
      const { shipment, entries } = await lockTimeline(trx, accountId, path, deliveryColumns);
      if (shipment.handover_code === null) return { code: null, count: 0 }; // it has been removed meanwhile
      await requireProvable(trx, shipment, entries, { status, accessId });
      requireUnattendedAllowed(body, shipment.details);
      countedItems(body, shipment.details);
      await requireUsableUploads(trx, shipment, body, now);
      const count = Math.max(1, shipment.wrong_handover_codes + points); // another code since the count begins at 0
      requireAttempt(sent, count - 1);
      await storeWrongHandoverCodes(trx, shipment, count);
      return { code: shipment.handover_code, count };
    });
    if (sent !== undefined && code !== null && !isHandoverCode(sent, code)) throw wrongHandoverCode(count);
    return code;
  },

  async perform({ path, body }, { accessId, accountId, addEvent, checked, db, now }) {
    const { status = 'delivered', signed_by = null, remarks = null } = body;
    const { shipment, entries } = await lockTimeline(db, accountId, path, deliveryColumns);
    const code = codeFor(status, shipment);
    // The code that the shipper has set meanwhile is not compared, because that would not be counted.
    if (code !== null && code !== checked)
      throw new Problem('unavailable', 'The handover code has just changed. Send the request again.');
    await requireProvable(db, shipment, entries, { status, accessId });
    if (status === 'delivered') requireUnattendedAllowed(body, shipment.details);
    const items = countedItems(body, shipment.details);
    const at = dateOf(body.delivered_at);
    const isRecorded = entryOf(entries, status) !== undefined;
    const reached = { status, at, accessId, now };
    const changes = isRecorded ? [] : (await recordStatus(db, shipment, entries, reached)).changes;
    const photos = await bindUploadsOrThrow(db, shipment, body, now);
    const signature = body.signature === undefined ? null : uuidFromPublicId('upl', body.signature);
    const { lat = null, lng = null } = body.location ?? {};
    const proof = { status, delivered_at: at, signed_by, signature, photos, lat, lng, remarks, items };
    await insertProof(db, shipment, proof);
    // The attempts before the right code, and its own: the shipment may be delivered again after a void.
    if (code !== null) await storeWrongHandoverCodes(db, shipment, 0);
    const data = { tracking: await readLockedTracking(db, accountId, path.tracking_number) };
    if (!isRecorded) addEvent({ type: 'tracking.status_reached', shipmentId: shipment.id, data });
    for (const change of changes) addEvent(change);
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
  created_at: isoText(created_at),
  ...(verified_at !== null && { received_at: isoText(verified_at) }),
  ends_at: isoText(ends_at),
});

function proofFrom(proof: Omit<Proof, 'account_id' | 'shipment_id'>, trackingNumber: string): UnsignedProof {
  const { status, delivered_at, signed_by, signature, photos, lat, lng, remarks, items } = proof;
  const suggested = suggestedExceptions(items ?? [], status);
  return {
    tracking_number: trackingNumber,
    status,
    delivered_at: isoText(delivered_at),
    ...(signed_by !== null && { signed_by }),
    ...(signature === null ? { unattended: true } : { signature_url: unsignedUrl(signature) }),
    photos: photos.map(unsignedUrl),
    ...(lat !== null && lng !== null && { location: { lat, lng } }),
    ...(remarks !== null && { remarks }),
    ...(items !== null && { items }),
    ...(suggested.length > 0 && { suggested_exceptions: suggested }),
  };
}
