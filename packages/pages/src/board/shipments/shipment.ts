import { type Client, type DocumentWithUrl, type ProofOfDelivery, WaybillError } from '@waybill/client';
import { isProvable } from '@waybill/contract/statuses';
import type { Position } from '../../places/jumps.ts';
import type { Point } from '../../places/sphere.ts';
import { readCity, readNearName } from '../../text/zones.ts';
import type { Row } from './rows.ts';

/** A shipment whose page is open, as far as it is loaded. */
export interface Loaded {
  /** The public id. */
  id: string;
  /** Undefined until it is known. A shipment of the board has its row at once. */
  row: Row | undefined;
  /** Oldest first. */
  positions: Position[] | undefined;
  /** There are more positions. */
  isRouteCut: boolean;
  /** Where its cities are; undefined for those that the service does not know. */
  places: { origin: Point | undefined; destination: Point | undefined } | undefined;
  /** The name of the city that it is near; null if it is near none, undefined until that is known. */
  nearCity: string | null | undefined;
  /** Null when it cannot be read. */
  proof: ProofOfDelivery | null | undefined;
  documents: DocumentWithUrl[];
  /** Id of an exception → signed URLs of its photos. */
  photos: Record<string, string[]>;
  /** Why there is no row. */
  failure: 'missing' | 'failed' | undefined;
}

/** Positions of a route that are read. */
const maxPositions = 1000;

export const unloaded = (id: string, row: Row | undefined): Loaded => ({
  id,
  row,
  positions: undefined,
  isRouteCut: false,
  places: undefined,
  nearCity: undefined,
  proof: undefined,
  documents: [],
  photos: {},
  failure: undefined,
});

/** Reads a shipment that is not on the board. */
export async function readRow(client: Client, id: string): Promise<Pick<Loaded, 'row' | 'failure'>> {
  try {
    const shipment = await client.getShipment({ shipment_id: id });
    const { tracking_number } = shipment;
    return { row: { shipment, tracking: await client.getTracking({ tracking_number }) }, failure: undefined };
  } catch (error) {
    const isMissing = error instanceof WaybillError && (error.status === 404 || error.status === 400);
    return { row: undefined, failure: isMissing ? 'missing' : 'failed' };
  }
}

/** The id of the shipment with a tracking number or a reference; undefined if the account has none. */
export async function findShipment(client: Client, query: string): Promise<string | undefined> {
  const isNumber = /^[A-Z]{2,8}-\d{4}-\d{6,12}$/.test(query.toUpperCase());
  const filter = isNumber ? { tracking_number: query.toUpperCase() } : { reference: query };
  const { data } = await client.listShipments({ ...filter, limit: 1 });
  return data[0]?.id;
}

/** Reads the route of a shipment. */
export async function readRoute(client: Client, row: Row): Promise<Pick<Loaded, 'positions' | 'isRouteCut'>> {
  const { tracking_number } = row.tracking;
  const found = await client.listPositions({ tracking_number, limit: 100 }).toArray({ limit: maxPositions + 1 });
  return { positions: found.slice(0, maxPositions), isRouteCut: found.length > maxPositions };
}

/** Reads where the cities of a shipment are. */
export async function readPlaces({ shipment }: Row): Promise<Pick<Loaded, 'places'>> {
  const [origin, destination] = await Promise.all([shipment.origin, shipment.destination].map(readCity));
  return { places: { origin, destination } };
}

/** Reads what its current location is near, unless the carrier has described it. */
export async function readNearCity({ tracking }: Row): Promise<Pick<Loaded, 'nearCity'>> {
  const { current_location: location } = tracking;
  return { nearCity: location && !location.address ? await readNearName(location) : null };
}

/** Reads the documents of a shipment. */
export const readDocuments = async (client: Client, { tracking }: Row): Promise<Pick<Loaded, 'documents'>> => {
  const { tracking_number } = tracking;
  return { documents: (await client.listDocuments({ tracking_number })).data };
};

/** A shipment can end without a proof, which may follow. */
function orNone(error: unknown): undefined {
  if (error instanceof WaybillError && error.code === 'proof_not_available') return undefined;
  throw error;
}

/** Reads the proof of a delivery or a return, and the photos of the exceptions. */
export async function readPictures(client: Client, { tracking }: Row): Promise<Pick<Loaded, 'proof' | 'photos'>> {
  const { tracking_number, status, exceptions = [] } = tracking;
  const photos: Loaded['photos'] = {};
  for (const { id, photo_count } of exceptions) {
    if (photo_count === 0) continue;
    photos[id] = (await client.getException({ tracking_number, exception_id: id })).photos;
  }
  const proof = isProvable(status) ? await client.getProofOfDelivery({ tracking_number }).catch(orNone) : undefined;
  return { proof, photos };
}
