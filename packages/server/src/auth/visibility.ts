import { transitions } from '@waybill/contract/lifecycle';
import { operationTable } from '@waybill/contract/operations';
import type { Scope } from '@waybill/contract/scopes';
import type { components } from '@waybill/contract/types';
import { type KeyError, scopeProblem } from '@waybill/http/authorization';
import type { OperationId } from '@waybill/http/operations';
import { notFound, Problem } from '@waybill/http/problems';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the access of the request permits; undefined for a request with a key. */
    access: Access | undefined;
  }
}

type Schemas = components['schemas'];
type Detail = Schemas['AccessDetail'];
type Kind = Schemas['AccessKind'];

/** What an access permits. */
export interface Access {
  /** Public ids. */
  shipmentId: string;
  trackingNumber: string;
  scopes: Scope[];
  detail: Detail;
  /** The page that its link opens; null without a link. */
  kind: Kind | null;
}

/** The operations that accept access tokens. */
type AccessOperation = {
  [Id in OperationId]: (typeof operationTable)[Id]['access'] extends true ? Id : never;
}[OperationId];

const details: Detail[] = ['status', 'location', 'proof'];
const shows = (detail: Detail, needed: Detail): boolean => details.indexOf(detail) >= details.indexOf(needed);

/** Operations whose whole response belongs to a detail. */
const requiredDetails: Partial<Record<OperationId, Detail>> = {
  listPositions: 'location',
  getProofOfDelivery: 'proof',
};

/**
 * Why a request may not call an operation: its key or access token is not valid, or does not permit it. Undefined when it may.
 * @param scopesOrError the scopes, or why there is no valid key
 * @param access set for an access token
 */
export const accessProblem = (
  id: OperationId,
  scopesOrError: string[] | KeyError,
  access?: Access,
): Problem | undefined =>
  (access && accessRefusal(id, access)) ?? scopeProblem(scopesOrError, operationTable[id].scope, access);

/** Why an access does not permit an operation, whatever its scopes; undefined when only its scopes decide. */
function accessRefusal(id: OperationId, { detail }: Pick<Access, 'detail'>): Problem | undefined {
  if (!operationTable[id].access) return new Problem('insufficient_scope', 'The operation requires an API key.');
  const needed = requiredDetails[id];
  if (!needed || shows(detail, needed)) return undefined;
  return new Problem('insufficient_scope', `The access shows the detail ${detail}, not ${needed}.`);
}

/**
 * Requires that a request is about the shipment of an access. Other shipments do not exist for it.
 * @param path the values of a validated path
 * @throws {Problem} not_found
 */
export function requireShipmentOf({ shipmentId, trackingNumber }: Access, path: unknown): void {
  const { shipment_id, tracking_number } = path as { shipment_id?: string; tracking_number?: string };
  if (shipment_id !== undefined && shipment_id !== shipmentId) throw notFound('shipment', shipment_id);
  if (tracking_number !== undefined && tracking_number !== trackingNumber) throw notFound('shipment', tracking_number);
}

/** The tracking status, as far as a detail shows it. */
function trackingAt(tracking: Schemas['TrackingStatus'], detail: Detail): Schemas['TrackingStatus'] {
  if (shows(detail, 'location')) return tracking;
  const { tracking_number, status, eta, timeline, exceptions } = tracking;
  return {
    tracking_number,
    status,
    eta,
    current_location: null,
    timeline: timeline.map((entry) => ({
      status: entry.status,
      timestamp: entry.timestamp,
      description: transitions.find(({ to }) => to === entry.status)?.description ?? entry.status,
    })),
    ...(exceptions && { exceptions: exceptions.map((exception) => exceptionAt(exception, detail)) }),
  };
}

/** An exception, as far as a detail shows it. */
function exceptionAt(exception: Schemas['ShipmentException'], detail: Detail): Schemas['ShipmentException'] {
  if (shows(detail, 'location')) return exception;
  const { id, code, severity, responsible_party, next_steps, shipment_status, occurred_at, eta } = exception;
  const { photo_count, resolved_at } = exception;
  return {
    id,
    code,
    severity,
    responsible_party,
    next_steps,
    shipment_status,
    occurred_at,
    photo_count,
    ...(eta !== undefined && { eta }),
    ...(resolved_at !== undefined && { resolved_at }),
  };
}

/** @param exception its photos may be upload ids instead of URLs */
const withPhotosAt = (exception: Schemas['ShipmentExceptionWithPhotos'], detail: Detail) => ({
  ...exceptionAt(exception, detail),
  photos: shows(detail, 'proof') ? exception.photos : [],
});

/** A shipment, to the link of a consignee with its handover code, and to that of a driver as long as there is work on it. */
function shipmentAt(
  { handover_code, ...shipment }: Schemas['ShipmentWithHandoverCode'],
  detail: Detail,
  kind: Kind | null,
): Schemas['ShipmentWithHandoverCode'] {
  const isShown = kind === 'track' && shows(detail, 'proof');
  return { ...forKind(shipment, kind), ...(isShown && handover_code !== undefined && { handover_code }) };
}

/** A driver needs nobody's name and number any more when a shipment cannot change: the link may be valid for weeks. */
function forKind(shipment: Schemas['Shipment'], kind: Kind | null): Schemas['Shipment'] {
  if (kind !== 'drive' || transitions.some(({ from }) => from === shipment.status)) return shipment;
  const withoutContact = ({ contact_name: _, contact_phone: __, ...address }: Schemas['Address']) => address;
  const { origin, destination } = shipment;
  return { ...shipment, origin: withoutContact(origin), destination: withoutContact(destination) };
}

const whole = (body: unknown): unknown => body;

/** Operation → its body as far as an access shows it. `requiredDetails` and the scope decide on the others. */
const visibleBodies: Record<AccessOperation, (body: never, detail: Detail, kind: Kind | null) => unknown> = {
  getShipment: shipmentAt, // its scope shows the other fields
  getTracking: trackingAt,
  recordTrackingEvent: trackingAt,
  listPositions: whole,
  recordPositions: whole,
  raiseException: exceptionAt,
  getException: withPhotosAt,
  resolveException: exceptionAt,
  getProofOfDelivery: whole,
  submitProofOfDelivery: whole, // what the caller has sent
  createProofUpload: whole,
  listProofUploads: whole, // its own
  deleteProofUpload: whole,
  streamEvents: whole, // `visibleEvent` decides on each event
};

/** The body of a successful response, as far as an access shows it. */
export const visibleBody = (id: OperationId, body: unknown, { detail, kind }: Access): unknown =>
  visibleBodies[id as AccessOperation](body as never, detail, kind);

/** An event as far as an access shows it; undefined for one that it does not show, such as one of another shipment. */
export function visibleEvent(event: Schemas['Event'], access: Access): Schemas['Event'] | undefined {
  const { detail, kind, scopes, shipmentId, trackingNumber } = access;
  const data = event.data as Partial<
    Schemas['ShipmentEventData'] &
      Schemas['TrackingEventData'] &
      Schemas['TrackingChangeEventData'] &
      Schemas['ExceptionEventData']
  >;
  if (data.shipment) {
    const isShown = data.shipment.id === shipmentId && scopes.includes('shipments:read');
    return isShown ? ({ ...event, data: { shipment: forKind(data.shipment, kind) } } as typeof event) : undefined;
  }
  const { tracking, tracking_change: change, exception_change: raised } = data;
  const isOwn = (tracking ?? change ?? raised)?.tracking_number === trackingNumber;
  if (!isOwn || !scopes.includes('tracking:read')) return undefined;
  const needed = eventDetails[event.type];
  if (needed && !shows(detail, needed)) return undefined;
  const visible = {
    ...(tracking && { tracking: trackingAt(tracking, detail) }),
    ...(change && { tracking_change: shows(detail, 'location') ? change : { ...change, current_location: null } }),
    ...(raised && { exception_change: { ...raised, exception: exceptionAt(raised.exception, detail) } }),
  };
  return { ...event, data: visible } as Schemas['Event'];
}

/** Types of events that belong to a detail. */
const eventDetails: Partial<Record<Schemas['EventType'], Detail>> = {
  'tracking.location_changed': 'location',
  'proof_of_delivery.submitted': 'proof',
};
