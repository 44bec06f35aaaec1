import { dayLength } from '@waybill/contract/duration';
import { transitions } from '@waybill/contract/lifecycle';
import { maxAccesses } from '@waybill/contract/limits';
import { operationTable } from '@waybill/contract/operations';
import type { Scope } from '@waybill/contract/scopes';
import type { components } from '@waybill/contract/types';
import { dateOf } from '@waybill/contract/validation/timestamps';
import type { FastifyInstance } from 'fastify';
import type { OperationId } from './operations.ts';
import { type FieldError, fieldProblem, Problem } from './problems.ts';
import { noShipment } from './shipments/refusals.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Those of the key or of the access, once it is valid. */
    scopes: string[];
    /** What the access of the request permits; undefined for a request with a key. */
    access: Access | undefined;
  }
}

/** Adds the properties of requests that are set with a valid key or access. */
export function decorateWithAccess(app: FastifyInstance): void {
  app.decorateRequest('scopes', null as never);
  app.decorateRequest('access', undefined);
}

type Schemas = components['schemas'];
export type Detail = Schemas['AccessDetail'];
type Kind = Schemas['AccessKind'];
type AccessScope = Schemas['AccessScope'];

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

/**
 * Why a request has no valid key or access token. `unknown` includes a wrong secret: only who has the secret learns more of
 * a key.
 */
export type KeyError = 'missing' | 'malformed' | 'unknown' | 'expired' | 'unknown_token' | 'expired_token';

const keyErrors: Record<KeyError, string> = {
  missing: 'The request has no API key. Send the header `Authorization: Bearer wbk_…`.',
  malformed: 'The header Authorization is malformed. Send `Bearer` and the API key, which begins with `wbk_`.',
  unknown: 'The API key is unknown or revoked.',
  expired: 'The API key has expired.',
  unknown_token: 'The access token is unknown or revoked.',
  expired_token: 'The access token has expired.',
};

/**
 * Why there is no valid key or access token, or which scope it lacks; undefined when it has the required one.
 * @param scopes those of the key, or why there is no valid one
 * @param required null for an operation that needs no key
 * @param access set for an access token
 */
export function scopeProblem(
  scopes: string[] | KeyError,
  required: Scope | null,
  access?: object,
): Problem | undefined {
  if (typeof scopes === 'string') return new Problem('unauthenticated', keyErrors[scopes]);
  const including = required === 'webhooks:read' ? 'webhooks:write' : undefined; // the contract says so
  if (required === null || scopes.some((scope) => scope === required || scope === including)) return undefined;
  return new Problem('insufficient_scope', `The ${access ? 'access' : 'key'} lacks the scope ${required}.`);
}

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
  if (shipment_id !== undefined && shipment_id !== shipmentId) throw noShipment({ shipment_id });
  if (tracking_number !== undefined && tracking_number !== trackingNumber) throw noShipment({ tracking_number });
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

const invalidField = (pointer: string, code: FieldError['code'], detail: string): Problem =>
  fieldProblem('invalid_request', [{ in: 'body', pointer, code, detail }]);

const driverScopes: AccessScope[] = ['shipments:read', 'tracking:read', 'tracking:write'];

/** The scopes of an access of a kind: by default, those that its page needs, and those that it cannot have. */
const kinds: Record<Kind, { byDefault: AccessScope[]; needed: AccessScope[]; excluded: AccessScope[] }> = {
  track: { byDefault: ['shipments:read', 'tracking:read'], needed: ['tracking:read'], excluded: ['tracking:write'] },
  drive: { byDefault: driverScopes, needed: driverScopes, excluded: [] },
};

export const accessKinds = Object.keys(kinds) as Kind[];

/**
 * The scopes of a new access: those of the request, or the default of its kind.
 * @throws {Problem} invalid_request without both, and for scopes with which its page does not work or could write
 */
export function scopesOf({ kind, scopes }: Pick<Schemas['AccessRequest'], 'kind' | 'scopes'>): AccessScope[] {
  if (!kind) {
    if (!scopes) throw invalidField('/scopes', 'required', 'is required without a kind');
    return scopes;
  }
  const { byDefault, needed, excluded } = kinds[kind];
  const given = scopes ?? byDefault;
  const index = given.findIndex((scope) => excluded.includes(scope));
  if (index >= 0) throw invalidField(`/scopes/${index}`, 'not_allowed', `is not possible for the kind ${kind}`);
  const missing = needed.find((scope) => !given.includes(scope));
  if (missing) throw invalidField('/scopes', 'required', `must contain ${missing} for the kind ${kind}`);
  return given;
}

/**
 * The URL of the page of an access. It is a secret, as its token is.
 * @param origin of the service
 * @param shipmentId the public id: the page of a driver reads the shipment by it
 */
export const pageUrl = (kind: Kind, origin: string, token: string, shipmentId: string): string =>
  kind === 'track' ? `${origin}/t/${token}` : `${origin}/d/#${token}/${shipmentId}`;

/** Days after which an access expires, unless its request says when. The contract states it. */
const defaultDays = 30;

/**
 * The fields of a new access.
 * @throws {Problem} invalid_request for invalid scopes, or a time that is not in the future
 */
export function newAccess(
  request: Schemas['AccessRequest'],
  now: Date,
): { name: string | null; kind: Kind | null; scopes: AccessScope[]; detail: Detail; expires_at: Date } {
  const { name = null, kind = null, detail = kind ? 'proof' : 'status', expires_at } = request;
  const expiresAt = expires_at ? dateOf(expires_at) : new Date(now.getTime() + defaultDays * dayLength);
  if (expiresAt.getTime() <= now.getTime()) {
    throw invalidField('/expires_at', 'out_of_order', 'must be in the future');
  }
  return { name, kind, scopes: scopesOf(request), detail, expires_at: expiresAt };
}

/** Requires that a key has the scopes that it gives. @throws {Problem} insufficient_scope */
export function requireScopes(given: AccessScope[], scopes: string[]): void {
  const missing = given.find((scope) => !scopes.includes(scope));
  if (missing) throw new Problem('insufficient_scope', `The key lacks the scope ${missing}, and cannot give it.`);
}

export const accessLimitReached = (): Problem =>
  new Problem('access_limit_reached', `The shipment has ${maxAccesses} accesses.`);
