import { Readable } from 'node:stream';
import { defaultPageSize } from '@waybill/contract/limits';
import { defaultBaseUrl } from '@waybill/contract/operations';
import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import type { Access } from '@waybill/http/access';
import type { Links } from '@waybill/http/files/signed-urls';
import { fileHeaders, unfinishedLife, uploadLife } from '@waybill/http/files/uploads';
import { publicId, uuidFromPublicId, uuidToBytes } from '@waybill/http/identifiers';
import type { OperationId, OperationRequest, ResponseOf } from '@waybill/http/operations';
import { makeCursor, pageOf, readCursor, timeFromCursor, timeLength, timeToBytes } from '@waybill/http/pagination';
import { shipmentTag } from '@waybill/http/shipments/changes';
import { exceptionFrom } from '@waybill/http/shipments/exceptions';
import { requireIncludeScope, shipmentFilters } from '@waybill/http/shipments/filters';
import { shownCode, withHandoverCode } from '@waybill/http/shipments/handover';
import { notDelivered } from '@waybill/http/shipments/refusals';
import { trackingFrom } from '@waybill/http/shipments/tracking';
import { eventStreamHeaders } from '@waybill/http/streamed-body';
import { onePixel } from '../images.ts';
import { pageOfEvents, streamOfEvents, waitForEvents } from './events.ts';
import { accessesOf, exceptionOf, type Proof, type State, shipmentOf, unboundUploads } from './state.ts';

type Schemas = components['schemas'];
type ProofOfDelivery = Schemas['ProofOfDelivery'];
type Shipment = Schemas['Shipment'];

export interface MockContext {
  /** Those of the key or of the access. */
  scopes: string[];
  /** What the access of the request permits; undefined for a request with a key. */
  access: Access | undefined;
  state: State;
  now: Date;
  links: Links;
  /** The origin of the mock as the client sees it. */
  origin: string;
  /** The media type of the request's body. */
  contentType: string;
  /** Aborts when the client disconnects or the mock stops. */
  signal: AbortSignal;
  /** Seconds after which a stream ends. */
  streamSeconds: number;
}
export type MockHandlers = {
  [Id in OperationId]?: (request: OperationRequest<Id>, context: MockContext) => Promise<ResponseOf<Id>>;
};

/** The path of the major version, such as `/v1`. */
export const basePath: string = new URL(defaultBaseUrl).pathname;

/** The mock has one account. */
export const accountId = '00000000-0000-7000-8000-000000000000';

/** Makes the function that signs the URL of a file. */
const fileUrls =
  ({ links, now }: MockContext) =>
  (uploadId: string): string =>
    links.sign('file', accountId, uploadId, now).url;

export function signedProof({ signature, photos, ...proof }: Proof, context: MockContext): ProofOfDelivery {
  const urlOf = fileUrls(context);
  return { ...proof, ...(signature && { signature_url: urlOf(signature) }), photos: photos.map(urlOf) };
}

/** The place of a shipment in a list, which a cursor contains. */
const placeOfShipment = ({ id }: Shipment): Buffer => uuidToBytes(uuidFromPublicId('ship', id));
/** The place of its last change in a list of changes. */
const placeOfChange = (shipment: Shipment): Buffer =>
  Buffer.concat([timeToBytes(dateOf(shipment.updated_at)), placeOfShipment(shipment)]);

/** The shipments after a place, newest first. */
function newestAfter(oldestFirst: Shipment[], last: Buffer | '' | undefined): Shipment[] {
  const newestFirst = oldestFirst.toReversed();
  if (!last) return newestFirst;
  const index = newestFirst.findIndex((shipment) => placeOfShipment(shipment).equals(last));
  // Shipments that are older than a removed one are removed, too.
  return newestFirst.slice(index < 0 ? newestFirst.length : index + 1);
}

/** The shipments that have changed after a place, the oldest change first. */
const changesAfter = (shipments: Shipment[], last: Buffer | '' | undefined): Shipment[] =>
  shipments
    .filter((shipment) => !last || placeOfChange(shipment).compare(last) > 0)
    .sort((a, b) => placeOfChange(a).compare(placeOfChange(b)));

/** Whether a shipment is not picked up, though its pickup window ends before a time. */
const isOverdue = ({ status, pickup_window }: Shipment, time: Date): boolean =>
  ['scheduled', 'dispatched'].includes(status) && dateOf(pickup_window.end) < time;

/** The operations that read what the mock stores. */
export const reads: MockHandlers = {
  async listShipments({ query }, { scopes, state }) {
    const { limit = defaultPageSize, cursor, include, total_count, ...filters } = query;
    requireIncludeScope(include, scopes);
    const { statuses, reference, trackingNumber, hasException, from, to, updatedSince, pickupBefore, ...others } =
      shipmentFilters(filters);
    others satisfies Record<string, never>; // every filter selects
    const isMatch = (shipment: Shipment): boolean => {
      const [createdAt, updatedAt] = [dateOf(shipment.created_at), dateOf(shipment.updated_at)];
      return (
        (statuses?.some((status) => status === shipment.status) ?? true) &&
        (reference ?? shipment.reference) === shipment.reference &&
        (trackingNumber ?? shipment.tracking_number) === shipment.tracking_number &&
        !(from && createdAt < from) &&
        !(to && createdAt >= to) &&
        !(updatedSince && updatedAt < updatedSince) &&
        !(pickupBefore && !isOverdue(shipment, pickupBefore))
      );
    };
    const oldestFirst = [...state.shipments.values()]
      .filter(({ tracking }) => !hasException || tracking.exceptions?.some(({ resolved_at }) => resolved_at === null))
      .map(({ shipment }) => shipment);
    const last = cursor && readCursor(cursor, filters, updatedSince ? timeLength + 16 : 16);
    const later = updatedSince ? changesAfter(oldestFirst, last) : newestAfter(oldestFirst, last);
    const placeOf = updatedSince ? placeOfChange : placeOfShipment;
    const cursorAfter = (shipment: Shipment) => makeCursor(placeOf(shipment), filters);
    const entryOf = (shipment: Shipment): Schemas['ListedShipment'] =>
      include === undefined
        ? shipment
        : { ...shipment, tracking: trackingFrom(shipmentOf(state, { shipment_id: shipment.id }).tracking) };
    const page = pageOf(later.filter(isMatch), limit, entryOf, cursorAfter);
    const count = oldestFirst.filter(isMatch).length;
    return { status: 200, body: { ...page, ...(total_count && { total_count: Math.min(count, 10_000) }) } };
  },

  async getShipment({ path }, { access, scopes, state }) {
    const { shipment, handover } = shipmentOf(state, path);
    const code = shownCode(handover.code, { access, scopes });
    return { status: 200, body: withHandoverCode(shipment, code), etag: shipmentTag(shipment) };
  },

  getTracking: async ({ path }, { state }) => ({ status: 200, body: trackingFrom(shipmentOf(state, path).tracking) }),

  async getException({ path }, context) {
    const exception = exceptionOf(shipmentOf(context.state, path), path.exception_id);
    return { status: 200, body: { ...exceptionFrom(exception), photos: exception.photos.map(fileUrls(context)) } };
  },

  async listPositions({ path, query }, { state }) {
    const { limit = defaultPageSize, cursor, ...others } = query;
    others satisfies Record<string, never>; // every parameter is read
    const after = cursor && timeFromCursor(readCursor(cursor, path, timeLength));
    const { positions } = shipmentOf(state, path);
    const later = after ? positions.filter(({ updated_at }) => dateOf(updated_at) > after) : positions;
    const cursorAfter = ({ updated_at }: Schemas['CurrentLocation']) =>
      makeCursor(timeToBytes(dateOf(updated_at)), path);
    return { status: 200, body: pageOf(later, limit, (position) => position, cursorAfter) };
  },

  async getProofOfDelivery({ path }, context) {
    const { proof, shipment } = shipmentOf(context.state, path);
    if (!proof) throw notDelivered(shipment.status);
    return { status: 200, body: signedProof(proof, context) };
  },

  async getProofFile({ path }, { state, links, now }) {
    const { uploadId, expiresAt } = links.open('file', path.file_token, now);
    const stored = state.uploads.get(uploadId);
    // A seed has no files, and the mock may have removed the bytes.
    const { bytes, content_type } = stored?.bytes ? { ...stored, bytes: stored.bytes } : onePixel;
    const headers = fileHeaders({ uploadId, content_type, size: bytes.length }, expiresAt, now);
    return { status: 200, headers, body: Readable.from(bytes) };
  },

  async listEvents({ query }, { state, signal }) {
    const { wait = 0, ...events } = query;
    if (wait === 0) return { status: 200, body: pageOfEvents(state.log, events) };
    const end = AbortSignal.any([signal, AbortSignal.timeout(wait * 1000)]);
    return { status: 200, body: await waitForEvents(state.log, events, end) };
  },

  async streamEvents({ query, headers }, { access, state, signal, streamSeconds }) {
    const end = AbortSignal.any([signal, AbortSignal.timeout(streamSeconds * 1000)]);
    // The stream of an access begins with the next event.
    const after = access ? state.log.events.at(-1)?.id : (headers['last-event-id'] ?? query.after);
    const body = streamOfEvents(state.log, { ...query, after }, end, access);
    return { status: 200, headers: eventStreamHeaders, body };
  },

  async listProofUploads({ path }, { state }) {
    const data = unboundUploads(state, shipmentOf(state, path).shipment.id).map(([id, upload]) => {
      const { kind, content_type, size, createdAt, bytes } = upload;
      const created_at = createdAt.toISOString();
      const ends_at = new Date(createdAt.getTime() + (bytes ? uploadLife : unfinishedLife)).toISOString();
      const times = { created_at, ...(bytes && { received_at: created_at }), ends_at };
      return { upload_id: publicId('upl', id), kind, content_type, size, ...times };
    });
    return { status: 200, body: { data } };
  },

  async listAccesses({ path }, { state, now }) {
    const { id } = shipmentOf(state, path).shipment;
    return { status: 200, body: { data: accessesOf(state, id, now).map(({ access }) => access) } };
  },
};
