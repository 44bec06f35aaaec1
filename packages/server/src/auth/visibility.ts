import type { EventData } from '@waybill/contract/events';
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
  id: string;
  shipmentId: string;
  trackingNumber: string;
  scopes: Scope[];
  detail: Detail;
  /** Whether it shows the documents. */
  documents: boolean;
  /** The page that its link opens; null without a link. */
  kind: Kind | null;
  /** That of the account, for drivers. */
  dispatcherPhone: string | null;
}

/** The operations that accept access tokens. */
type AccessOperation = {
  [Id in OperationId]: (typeof operationTable)[Id]['access'] extends true ? Id : never;
}[OperationId];

const details: Detail[] = ['status', 'location', 'proof'];
export const shows = ({ detail }: Pick<Access, 'detail'>, needed: Detail): boolean =>
  details.indexOf(detail) >= details.indexOf(needed);

/**
 * What an access shows of the responses of each operation that accepts its token: all, from a detail on or with the documents,
 * without which the operation is refused, or what a function returns.
 */
export type ShownBodies = {
  [Id in AccessOperation]: Detail | 'documents' | ((body: never, access: Access) => unknown);
};

/** What an access shows of the data of each event of its shipment; undefined for nothing. */
export type ShownEvents = Record<Schemas['EventType'], (data: Required<EventData>, access: Access) => unknown>;

/** What accesses permit. */
export interface Visibility {
  /**
   * Why a request may not call an operation: its key or access token is not valid, or does not permit it. Undefined when it may.
   * @param scopesOrError the scopes, or why there is no valid key
   * @param access set for an access token
   */
  accessProblem(id: OperationId, scopesOrError: string[] | KeyError, access?: Access): Problem | undefined;
  /** The body of a successful response, as far as an access shows it. */
  visibleBody(id: OperationId, body: unknown, access: Access): unknown;
  /** An event of the shipment of an access, as far as it shows it; undefined for one that it does not show. */
  visibleEvent(event: Schemas['Event'], access: Access): Schemas['Event'] | undefined;
}

export function visibilityOf(bodies: ShownBodies, events: ShownEvents): Visibility {
  /** Why an access does not permit an operation, whatever its scopes; undefined when only its scopes decide. */
  const accessRefusal = (id: OperationId, access: Access): Problem | undefined => {
    if (!operationTable[id].access) return new Problem('insufficient_scope', 'The operation requires an API key.');
    const shown = bodies[id as AccessOperation];
    if (typeof shown === 'function') return undefined;
    if (shown === 'documents')
      return access.documents
        ? undefined
        : new Problem('insufficient_scope', 'The access does not show the documents.');
    if (shows(access, shown)) return undefined;
    return new Problem('insufficient_scope', `The access shows the detail ${access.detail}, not ${shown}.`);
  };
  return {
    accessProblem: (id, scopesOrError, access) =>
      (access && accessRefusal(id, access)) ?? scopeProblem(scopesOrError, operationTable[id].scope, access),
    visibleBody(id, body, access) {
      const shown = bodies[id as AccessOperation];
      return typeof shown === 'function' ? shown(body as never, access) : body;
    },
    visibleEvent(event, access) {
      const data = events[event.type](event.data as Required<EventData>, access);
      return data === undefined ? undefined : ({ ...event, data } as Schemas['Event']);
    },
  };
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
