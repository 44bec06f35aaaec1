import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { maxAccesses, maxExceptions } from '@waybill/contract/limits';
import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { accessLimitReached, newAccess, pageUrl, requireScopes, scopesOf } from '@waybill/http/access';
import { checkedBytes, compare, maxUnboundUploads, uploadLife, uploadLimitReached } from '@waybill/http/files/uploads';
import { newUuid, publicId, timeOfUuid, uuidFromPublicId } from '@waybill/http/identifiers';
import { Problem } from '@waybill/http/problems';
import { requireMatch } from '@waybill/http/responses';
import { changedShipment, shipmentTag } from '@waybill/http/shipments/changes';
import { detailsOf, utc, visibleDetails } from '@waybill/http/shipments/details';
import * as exceptions from '@waybill/http/shipments/exceptions';
import { checkHandoverCode, withHandoverCode, wrongHandoverCode } from '@waybill/http/shipments/handover';
import { planTransition, type TransitionRequest, transitionTime } from '@waybill/http/shipments/lifecycle';
import { requireSignatureOrPhoto, requireUnattendedAllowed } from '@waybill/http/shipments/proof';
import * as refusals from '@waybill/http/shipments/refusals';
import {
  changeFrom,
  movingStatuses,
  newestOf,
  type Report,
  reportFrom,
  reportOfEvent,
  requirePossible,
  storingStatuses,
  trackingFrom,
} from '@waybill/http/shipments/tracking';
import { addEvent } from './events.ts';
import { accountId, basePath, type MockHandlers, signedProof } from './reads.ts';
import {
  accessesOf,
  addBounded,
  addShipment,
  completeShipment,
  exceptionOf,
  type MockShipment,
  type State,
  shipmentOf,
  storeBytes,
  type Upload,
  unboundUploads,
  withoutHandoverCode,
} from './state.ts';

type Schemas = components['schemas'];

/** Positions of a shipment that are stored. For one too many, the oldest is removed. */
const maxPositions = 1000;
/** The service's default of POSITION_DAYS. */
const positionDays = 90;
/** Accesses to all shipments. */
const maxAllAccesses = 10_000;
/** Declared files. */
const maxUploads = 10_000;

/** Returns the function that changes the status. @throws {Problem} when the status cannot change */
function prepareTransition(changed: MockShipment, request: TransitionRequest, now: Date): () => void {
  const { shipment, tracking } = changed;
  const previous = new Date(tracking.timeline.at(-1)?.timestamp ?? shipment.created_at);
  const planned = planTransition(request);
  const at = transitionTime(request, planned, { status: shipment.status, previous, now });
  return () => {
    const status = request.to;
    const entry = { status, timestamp: at.toISOString(), description: planned.description };
    changed.shipment = { ...shipment, status, updated_at: now.toISOString() };
    changed.tracking = { ...tracking, status, timeline: [...tracking.timeline, entry] };
  };
}

/**
 * Stores a report. In a status that moves, it changes the current location and the estimated arrival, unless a newer
 * position is known. Of positions with the same timestamp, the last one received wins.
 * @returns the types of the events of what has changed
 */
function storeReport(reported: MockShipment, report: Report): Schemas['EventType'][] {
  const { positions, eta, at } = report;
  const { tracking } = reported;
  const added = positions.map(({ occurredAt, ...place }) => ({ ...place, updated_at: occurredAt.toISOString() }));
  const byTime = new Map([...reported.positions, ...added].map((position) => [position.updated_at, position]));
  const sorted = [...byTime.values()].sort((a, b) => a.updated_at.localeCompare(b.updated_at));
  reported.positions = sorted.slice(-maxPositions);
  if (!movingStatuses.includes(tracking.status) || (tracking.updated_at && tracking.updated_at > at)) return [];
  const { occurredAt, ...place } = newestOf(report) ?? {};
  const moved = occurredAt ? { ...place, updated_at: occurredAt } : {};
  reported.tracking = { ...tracking, ...moved, eta: eta ?? tracking.eta };
  const [before, after] = [trackingFrom(tracking), trackingFrom(reported.tracking)];
  const isMoved = !isDeepStrictEqual(before.current_location, after.current_location);
  return [
    ...(isMoved ? ['tracking.location_changed' as const] : []),
    ...(before.eta === after.eta ? [] : ['tracking.eta_changed' as const]),
  ];
}

function appendChanges({ log }: State, { shipment, tracking }: MockShipment, types: Schemas['EventType'][]): void {
  const change = changeFrom(tracking);
  for (const type of types) addEvent(log, type, { tracking_change: { shipment_id: shipment.id, ...change } });
}

const uuidOf = (uploadId: string): string => uuidFromPublicId('upl', uploadId);

/** Binds the files of a proof or of an exception. @throws {Problem} unknown_upload */
function bindUploads(state: State, shipmentId: string, files: Parameters<typeof refusals.requireUploads>[0]): void {
  const uploadOf = (id: string): Upload | undefined => state.uploads.get(uuidOf(id));
  const unbound = unboundUploads(state, shipmentId);
  refusals.requireUploads(files, (id, kind) =>
    unbound.some(([, upload]) => upload === uploadOf(id) && upload.kind === kind && upload.bytes),
  );
  for (const { id } of refusals.uploadsOf(files)) Object.assign(uploadOf(id) ?? {}, { isBound: true });
}

/** Adds or replaces an exception: open ones come first, each part in the order in which they were raised. */
function setException(changed: MockShipment, exception: exceptions.StoredException): void {
  const others = (changed.tracking.exceptions ?? []).filter(({ id }) => id !== exception.id);
  const sorted = [...others, exception].sort(
    (a, b) => Number(a.resolved_at !== null) - Number(b.resolved_at !== null) || (a.id < b.id ? -1 : 1),
  );
  changed.tracking = { ...changed.tracking, exceptions: sorted };
}

/** The operations that change what the mock stores. */
export const writes: MockHandlers = {
  async createShipment({ body }, { state }) {
    const { reference } = body;
    const others = [...state.shipments.values()].map(({ shipment }) => shipment);
    const other = others.find((each) => each.reference === reference && each.status !== 'cancelled');
    if (reference !== undefined && other) throw refusals.referenceTaken(reference, other.id);
    const { shipment } = addShipment(state, completeShipment(state, body));
    addEvent(state.log, 'shipment.created', { shipment });
    return { status: 201, headers: { location: `${basePath}/shipments/${shipment.id}` }, body: shipment };
  },

  async updateShipment({ path, headers, body }, { state, now }) {
    const found = shipmentOf(state, path);
    if (headers['if-match'] !== undefined) requireMatch(headers['if-match'], shipmentTag(found.shipment));
    const { code } = found.handover;
    const changed = changedShipment(withHandoverCode(found.shipment, code), body);
    if (changed) {
      const { totals: _, ...others } = changed;
      const { shipment, handover } = withoutHandoverCode(others);
      found.shipment = { ...shipment, ...visibleDetails(detailsOf(changed)), updated_at: now.toISOString() };
      if (handover.code !== code) found.handover = handover;
      addEvent(state.log, 'shipment.updated', { shipment: found.shipment });
    }
    return { status: 200, body: found.shipment, etag: shipmentTag(found.shipment) };
  },

  async cancelShipment({ path, body }, { state, now }) {
    const found = shipmentOf(state, path);
    prepareTransition(found, { operation: 'cancelShipment', to: 'cancelled' }, now)();
    found.shipment = { ...found.shipment, cancellation_reason: body.reason };
    addEvent(state.log, 'shipment.cancelled', { shipment: found.shipment });
    return { status: 200, body: found.shipment };
  },

  async createAccess({ path, body }, { state, scopes, now, origin }) {
    requireScopes(scopesOf(body), scopes);
    const { id: shipmentId } = shipmentOf(state, path).shipment;
    const { name, kind, expires_at, ...fields } = newAccess(body, now);
    if (accessesOf(state, shipmentId, now).length >= maxAccesses) throw accessLimitReached();
    const uuid = newUuid();
    const id = publicId('acc', uuid);
    const access = {
      id,
      ...(name !== null && { name }),
      ...(kind !== null && { kind }),
      ...fields,
      created_at: timeOfUuid(uuid).toISOString(),
      expires_at: expires_at.toISOString(),
    };
    const token = `${id.replace(/^acc/, 'wba')}_${randomBytes(20).toString('hex')}`;
    addBounded(state.accesses, id, { shipmentId, token, access }, maxAllAccesses);
    const url = kind && pageUrl(kind, origin, token, shipmentId);
    return { status: 201, body: { ...access, token, ...(url !== null && { url }) } };
  },

  async deleteAccess({ path }, { state }) {
    const found = state.accesses.get(path.access_id);
    if (found?.shipmentId !== path.shipment_id) throw refusals.notFound('access', path.access_id);
    state.accesses.delete(path.access_id);
    return { status: 204, body: undefined };
  },

  async recordTrackingEvent({ path, body }, { state, now }) {
    const { status: to, description } = body;
    const found = shipmentOf(state, path);
    const report = reportOfEvent(body);
    const occurred = { at: report.at, field: 'timestamp' } as const;
    prepareTransition(found, { operation: 'recordTrackingEvent', to, occurred, description }, now)();
    const changes = storeReport(found, report);
    const tracking = trackingFrom(found.tracking);
    addEvent(state.log, 'tracking.status_reached', { tracking });
    appendChanges(state, found, changes);
    return { status: 201, body: tracking };
  },

  async recordPositions({ path, body }, { state, now }) {
    const found = shipmentOf(state, path);
    const { status } = found.shipment;
    if (!storingStatuses.includes(status)) throw refusals.positionsNotAccepted(status);
    const { report, accepted } = reportFrom(body, positionDays, now);
    appendChanges(state, found, storeReport(found, report));
    return { status: 200, body: accepted };
  },

  async raiseException({ path, body }, { state, now }) {
    const found = shipmentOf(state, path);
    const { status, id: shipmentId } = found.shipment;
    exceptions.requireAccepted(body.code, status);
    const report = reportOfEvent({ ...body, status, timestamp: body.occurred_at });
    requirePossible(body.location, { occurredAt: report.at, pointer: '/occurred_at', days: positionDays, now });
    if ((found.tracking.exceptions?.length ?? 0) >= maxExceptions) throw exceptions.exceptionLimitReached();
    bindUploads(state, shipmentId, body);
    const photos = (body.photos ?? []).map(uuidOf);
    const exception = { id: newUuid(), photos, ...exceptions.newException(body, status) };
    setException(found, exception);
    const changes = storeReport(found, report);
    addEvent(state.log, 'tracking.exception_raised', exceptions.exceptionChange(found.shipment, exception));
    appendChanges(state, found, changes);
    return { status: 201, body: exceptions.exceptionFrom(exception) };
  },

  async resolveException({ path, body }, { state }) {
    const found = shipmentOf(state, path);
    const exception = exceptions.resolved(exceptionOf(found, path.exception_id), body);
    setException(found, exception);
    addEvent(state.log, 'tracking.exception_resolved', exceptions.exceptionChange(found.shipment, exception));
    return { status: 200, body: exceptions.exceptionFrom(exception) };
  },

  async createProofUpload({ path, body }, context) {
    const { state, now, links } = context;
    const { id: shipmentId, status } = shipmentOf(state, path).shipment;
    refusals.requireUploadable(body.kind, status);
    const unbound = unboundUploads(state, shipmentId);
    if (unbound[0] && unbound.length >= maxUnboundUploads)
      throw uploadLimitReached(maxUnboundUploads, new Date(unbound[0][1].createdAt.getTime() + uploadLife), now);
    const id = newUuid();
    const sha256 = Buffer.from(body.sha256, 'hex');
    const upload = { ...body, shipmentId, sha256, createdAt: now, isBound: false, bytes: undefined };
    addBounded(state.uploads, id, upload, maxUploads);
    const { url, expiresAt } = links.sign('upload', accountId, id, now);
    return {
      status: 201,
      body: {
        upload_id: publicId('upl', id),
        upload_url: url,
        method: 'PUT',
        headers: { 'Content-Type': body.content_type },
        expires_at: expiresAt.toISOString(),
      },
    };
  },

  async deleteProofUpload({ path }, { state }) {
    const unbound = unboundUploads(state, shipmentOf(state, path).shipment.id);
    const [id] = unbound.find(([id]) => id === uuidOf(path.upload_id)) ?? [];
    if (id === undefined) throw refusals.notFound('unfinished upload', path.upload_id);
    state.uploads.delete(id);
    return { status: 204, body: undefined };
  },

  async putProofFile({ path, body }, context) {
    const { state, links, now, contentType } = context;
    const upload = state.uploads.get(links.open('upload', path.upload_token, now).uploadId);
    if (!upload) throw refusals.noFile();
    if (contentType !== upload.content_type) {
      throw new Problem('unsupported_media_type', `The file was declared as ${upload.content_type}.`);
    }
    if (upload.bytes) await compare(body, upload);
    else storeBytes(state, upload, await buffer(checkedBytes(body, upload)));
    return { status: 204, body: undefined };
  },

  async submitProofOfDelivery({ path, body }, context) {
    const { state, now } = context;
    const found = shipmentOf(state, path);
    const occurred = { at: dateOf(body.delivered_at), field: 'delivered_at' } as const;
    const request = { operation: 'submitProofOfDelivery', to: 'delivered', occurred } as const;
    requireSignatureOrPhoto(body);
    requirePossible(body.location);
    const { handover } = found;
    if (checkHandoverCode(body.handover_code, { ...handover, status: found.shipment.status }) === 'wrong') {
      const wrongCodes = handover.wrongCodes + 1;
      found.handover = { ...handover, wrongCodes };
      throw wrongHandoverCode(wrongCodes);
    }
    const applyTransition = prepareTransition(found, request, now);
    requireUnattendedAllowed(body, found.shipment);
    bindUploads(state, found.shipment.id, body);
    applyTransition();
    const { signature, signed_by, photos = [], delivered_at, location } = body;
    found.proof = {
      tracking_number: path.tracking_number,
      delivered_at: utc(delivered_at),
      ...(signed_by !== undefined && { signed_by }),
      ...(signature === undefined ? { unattended: true } : { signature: uuidOf(signature) }),
      photos: photos.map(uuidOf),
      ...(location && { location }),
    };
    const data = { tracking: trackingFrom(found.tracking) };
    addEvent(state.log, 'tracking.status_reached', data);
    addEvent(state.log, 'proof_of_delivery.submitted', data);
    return { status: 201, body: signedProof(found.proof, context) };
  },
};
