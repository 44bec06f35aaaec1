import { transitions } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import type { Access, KeyError } from '@waybill/http/access';
import type { Declaration } from '@waybill/http/files/uploads';
import { newUuid, publicId, timeOfUuid, trackingNumber } from '@waybill/http/identifiers';
import type { OperationResponse } from '@waybill/http/operations';
import { detailsOf, inUtc, visibleDetails } from '@waybill/http/shipments/details';
import type { StoredException } from '@waybill/http/shipments/exceptions';
import type { Handover } from '@waybill/http/shipments/handover';
import { initialTransition } from '@waybill/http/shipments/lifecycle';
import { noShipment, notFound } from '@waybill/http/shipments/refusals';
import type { StoredTracking } from '@waybill/http/shipments/tracking';
import type { Seed } from '../options.ts';
import type { EventLog } from './events.ts';

type Schemas = components['schemas'];
type Shipment = Schemas['Shipment'];
type Timeline = Schemas['TrackingStatus']['timeline'];

/** A declared file. */
export interface Upload extends Declaration {
  shipmentId: string;
  kind: Schemas['FileKind'];
  content_type: Schemas['ImageType'];
  createdAt: Date;
  /** Whether it is part of the proof. */
  isBound: boolean;
  /** Undefined until they arrive. */
  bytes: Buffer | undefined;
}

/** A proof with the ids (uuids) of its files in place of their URLs. */
export interface Proof extends Omit<Schemas['ProofOfDelivery'], 'signature_url' | 'photos'> {
  signature?: string;
  photos: string[];
}

/** Changes replace its values: events and stored responses contain the earlier ones. */
export interface MockShipment {
  /** Without its handover code. */
  shipment: Shipment;
  handover: Handover;
  tracking: Omit<StoredTracking, 'exceptions'> & { exceptions: StoredException[] | null };
  /** Oldest first. */
  positions: Schemas['CurrentLocation'][];
  proof: Proof | undefined;
}

/** An access with its token. */
export interface MockAccess {
  shipmentId: string;
  token: string;
  access: Schemas['Access'];
}

/** What the mock stores until it stops. */
export interface State {
  /** By id, oldest first. */
  shipments: Map<string, MockShipment>;
  maxShipments: number;
  /** By id, oldest first. */
  accesses: Map<string, MockAccess>;
  /** By their uuid, oldest first. */
  uploads: Map<string, Upload>;
  /** The number in the last tracking number. */
  lastNumber: number;
  log: EventLog;
  /** The responses of writes, by `Idempotency-Key`. */
  responses: Map<string, { fingerprint: Buffer; response: OperationResponse }>;
}

/** Bytes of all files together. */
const maxFileBytes = 64 * 1024 * 1024;

/** Adds an entry to a map. For one too many, it removes the oldest. */
export function addBounded<Value>(map: Map<string, Value>, key: string, value: Value, maximum: number): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maximum && oldest !== undefined) map.delete(oldest);
}

/** Adds an id, a tracking number, the first status and the current time, unless the shipment has them. */
export function completeShipment(
  state: State,
  { pickup_window: window, ...shipment }: Seed['shipments'][number],
): Schemas['ShipmentWithHandoverCode'] {
  const uuid = newUuid();
  const now = timeOfUuid(uuid);
  const created_at = shipment.created_at ?? now.toISOString();
  return {
    id: publicId('ship', uuid),
    status: initialTransition.to,
    tracking_number: shipment.tracking_number ?? trackingNumber('FRT', now, String(++state.lastNumber)),
    ...shipment,
    pickup_window: inUtc(window),
    ...visibleDetails(detailsOf({ pickup_window: window, ...shipment })),
    created_at,
    updated_at: shipment.updated_at ?? created_at,
  };
}

/** Adds a shipment without positions and files. */
export function addShipment(
  state: State,
  given: Schemas['ShipmentWithHandoverCode'],
  timeline: Timeline = timelineOf(given),
): MockShipment {
  const { tracking_number, status } = given;
  const tracking = { tracking_number, status, timeline, ...noLocation, exceptions: null };
  const added: MockShipment = { ...withoutHandoverCode(given), tracking, positions: [], proof: undefined };
  const { shipment } = added;
  addBounded(state.shipments, shipment.id, added, state.maxShipments);
  return added;
}

/** Separates the handover code of a shipment, which events and other responses do not have. */
export const withoutHandoverCode = ({
  handover_code,
  handover_code_required: _,
  ...shipment
}: Schemas['ShipmentWithHandoverCode']): Pick<MockShipment, 'shipment' | 'handover'> => ({
  shipment: { ...shipment, ...(handover_code !== undefined && { handover_code_required: true }) },
  handover: { code: handover_code ?? null, wrongCodes: 0 },
});

/** The entries that lead to the status of a shipment, each by the first transition to it. */
function timelineOf(shipment: Shipment): Timeline {
  const { status, created_at, updated_at } = shipment;
  const { from, description } = transitions.find(({ to }) => to === status) ?? initialTransition;
  if (from === null) return [{ status, timestamp: created_at, description }];
  return [...timelineOf({ ...shipment, status: from }), { status, timestamp: updated_at, description }];
}

const noLocation = { eta: null, lat: null, lng: null, address: null, updated_at: null };

/** Finds a shipment by its id or its tracking number. @throws {Problem} not_found */
export function shipmentOf(
  { shipments }: State,
  path: { shipment_id: string } | { tracking_number: string },
): MockShipment {
  for (const found of shipments.values()) {
    const { id, tracking_number } = found.shipment;
    if ('shipment_id' in path ? path.shipment_id === id : path.tracking_number === tracking_number) return found;
  }
  throw noShipment(path);
}

/** Finds an exception of a shipment by its public id. @throws {Problem} not_found */
export function exceptionOf({ tracking }: MockShipment, id: string): StoredException {
  const found = tracking.exceptions?.find((each) => publicId('exc', each.id) === id);
  if (!found) throw notFound('exception', id);
  return found;
}

/** The accesses to a shipment that have not expired. @param shipmentId the public id */
export const accessesOf = ({ accesses }: State, shipmentId: string, now: Date): MockAccess[] =>
  [...accesses.values()].filter((each) => each.shipmentId === shipmentId && dateOf(each.access.expires_at) > now);

/** The uploads of a shipment that are not part of a proof, with their uuids. */
export const unboundUploads = ({ uploads }: State, shipmentId: string): [string, Upload][] =>
  [...uploads].filter(([, upload]) => upload.shipmentId === shipmentId && !upload.isBound);

/** What the token of an access permits, or why it is not valid. */
export function accessOf(
  { accesses, shipments }: State,
  token: string,
  now: Date,
): { scopes: Schemas['AccessScope'][]; access: Access } | KeyError {
  const found = [...accesses.values()].find((each) => each.token === token);
  const shipment = found && shipments.get(found.shipmentId)?.shipment;
  if (!shipment) return 'unknown_token';
  const { kind = null, detail, scopes, expires_at } = found.access;
  if (dateOf(expires_at) <= now) return 'expired_token';
  const { id: shipmentId, tracking_number: trackingNumber } = shipment;
  return { scopes, access: { shipmentId, trackingNumber, kind, scopes, detail } };
}

/** Stores the bytes of a file. When all files together are too large, it removes those of the oldest. */
export function storeBytes({ uploads }: State, upload: Upload, bytes: Buffer): void {
  upload.bytes = bytes;
  let total = [...uploads.values()].reduce((sum, each) => sum + (each.bytes?.length ?? 0), 0);
  for (const each of uploads.values()) {
    if (total <= maxFileBytes) return;
    total -= each.bytes?.length ?? 0;
    each.bytes = undefined;
  }
}
