import { type Access, permissionProblem, visibleBody } from '@waybill/http/access';
import type { OperationRequest } from '@waybill/http/operations';
import type { TrackingView } from '@waybill/pages/tracking/view';
import type { ReadContext, ReadId, Reads } from '../operations/route-handlers.ts';
import type { RevealBody } from '../operations/serialize.ts';
import { selectNewestPositions } from '../tracking/positions.ts';
import { getCurrentStatusOrThrow } from '../tracking/queries.ts';

export type PageReads = Pick<Reads, 'getTracking' | 'getShipment' | 'getException' | 'getProofOfDelivery'>;

interface Reading {
  reads: PageReads;
  revealBody: RevealBody;
  access: Access;
  /** For the shipment of the access. */
  context: ReadContext;
}

/** How many positions of a route are read: eight hours with a position every 30 seconds. */
const maxPositions = 1000;

/** Whether an access permits an operation. */
export const permits = (access: Access, id: ReadId): boolean =>
  permissionProblem(id, access.scopes, access) === undefined;

/**
 * Reads what the page of a shipment shows: the responses of the operations that the access permits, as it would get them.
 * @param reading of an access that permits getTracking
 * @throws {Problem} not_found
 */
export async function readView(reading: Reading): Promise<TrackingView> {
  const { access, context } = reading;
  const { trackingNumber: tracking_number, shipmentId: shipment_id } = access;
  const tracking = await read(reading, 'getTracking', { tracking_number });
  const isProven = tracking.status === 'delivered' && permits(access, 'getProofOfDelivery');
  const [shipment, positions, proof, exceptionPhotos] = await Promise.all([
    permits(access, 'getShipment') ? read(reading, 'getShipment', { shipment_id }) : undefined,
    permits(access, 'listPositions') ? readRoute(context, tracking_number) : [],
    isProven ? read(reading, 'getProofOfDelivery', { tracking_number }) : undefined,
    readPhotos(reading, tracking),
  ]);
  return { tracking, shipment, positions, proof, exceptionPhotos };
}

/** Executes an operation, and returns the body of its response as far as the access shows it. */
async function read<Id extends keyof PageReads>(
  { reads, revealBody, access, context }: Reading,
  id: Id,
  path: OperationRequest<Id>['path'],
): Promise<BodyOf[Id]> {
  const { accountId, now } = context;
  const run = reads[id] as (request: object, context: ReadContext) => Promise<{ body: unknown }>;
  const { body } = await run({ path, query: {}, headers: {} }, context);
  return revealBody(id, visibleBody(id, body, access), accountId, now) as BodyOf[Id];
}

interface BodyOf {
  getTracking: TrackingView['tracking'];
  getShipment: NonNullable<TrackingView['shipment']>;
  getProofOfDelivery: NonNullable<TrackingView['proof']>;
  getException: { photos: string[] };
}

async function readRoute({ accountId, db }: ReadContext, tracking_number: string): Promise<TrackingView['positions']> {
  const { id, route_since } = await getCurrentStatusOrThrow(db, accountId, { tracking_number });
  return route_since ? selectNewestPositions(db, accountId, id, maxPositions, route_since) : [];
}

async function readPhotos(
  reading: Reading,
  { exceptions = [] }: TrackingView['tracking'],
): Promise<Record<string, string[]>> {
  const photos: Record<string, string[]> = {};
  if (reading.access.detail !== 'proof') return photos;
  for (const { id, photo_count } of exceptions) {
    if (photo_count === 0) continue;
    const { trackingNumber: tracking_number } = reading.access;
    const { photos: urls } = await read(reading, 'getException', { tracking_number, exception_id: id });
    photos[id] = urls;
  }
  return photos;
}
