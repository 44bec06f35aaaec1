import { isDeepStrictEqual } from 'node:util';
import type { Entry } from './journal.ts';
import type { State } from './state.ts';

/** What the service holds that it should not, or does not hold that it should; in words. */
export interface Findings {
  lost: string[];
  doubled: string[];
}

type Known = Record<string, unknown>;

/** An entry's effect: it had one for certain, or may have had one. */
const happened = ({ outcome }: Entry): boolean => outcome !== undefined && outcome.status < 300;
const mayHave = ({ outcome }: Entry): boolean => outcome === undefined;
const isKnown = (value: unknown): value is Known => typeof value === 'object' && value !== null;

/** Compares what was acknowledged for a shipment with what the service tells of it. */
export function judge(reference: string, entries: Entry[], state: State): Findings {
  const lost: string[] = [];
  const doubled: string[] = [];
  const certain = entries.filter(happened);
  const possible = entries.filter((entry) => happened(entry) || mayHave(entry));

  const made = of('createShipment', certain)[0]?.outcome?.body;
  if (isKnown(made) && state.shipments[0]?.id !== made.id) lost.push(`${reference}: shipment ${made.id}`);
  const most = of('createShipment', possible).length > 0 ? 1 : 0;
  if (state.shipments.length > most) doubled.push(`${reference}: ${state.shipments.length} shipments`);

  const timeline = state.tracking?.timeline.map(({ status, timestamp }) => stepAt(status, timestamp)) ?? [];
  matched(timeline, certain.flatMap(stepOf), possible.flatMap(stepOf), `${reference}: step`, { lost, doubled });
  if (state.tracking && state.tracking.timeline.at(-1)?.status !== state.shipments[0]?.status)
    lost.push(`${reference}: status ${state.shipments[0]?.status}`);

  const route = state.positions.map(placeOf);
  matched(route, certain.flatMap(placesOf), possible.flatMap(placesOf), `${reference}: position`, { lost, doubled });

  const proof = of('submitProofOfDelivery', certain)[0]?.outcome?.body;
  if (proof && !isDeepStrictEqual(proof, state.proof)) lost.push(`${reference}: proof of delivery`);
  return { lost, doubled };
}

const of = (operation: string, entries: Entry[]): Entry[] =>
  entries.filter(({ write }) => write.operation === operation);

/** Each certain one must be there, nothing else but the possible ones, and none twice. */
function matched(there: string[], certain: string[], possible: string[], what: string, { lost, doubled }: Findings) {
  const found = new Set(there);
  for (const each of new Set(certain)) if (!found.has(each)) lost.push(`${what} ${each}`);
  const allowed = new Set(possible);
  for (const each of found) if (!allowed.has(each)) doubled.push(`${what} ${each}, which nobody asked for`);
  if (found.size < there.length) doubled.push(`${what}: ${there.length - found.size} twice`);
}

/** Booking and cancelling take the service's own time, which only their answer tells. */
const stepAt = (status: unknown, time: unknown): string =>
  status === 'scheduled' || status === 'cancelled' ? status : `${status} ${time}`;

/** The entry of the timeline that a write makes. */
function stepOf({ write: { operation, body } }: Entry): string[] {
  if (operation === 'createShipment') return [stepAt('scheduled', undefined)];
  if (operation === 'cancelShipment') return [stepAt('cancelled', undefined)];
  if (operation === 'recordTrackingEvent') return [stepAt(body.status, body.timestamp)];
  if (operation === 'submitProofOfDelivery') return [stepAt('delivered', body.delivered_at)];
  return [];
}

/** The positions that a write adds to the route. */
function placesOf({ write }: Entry): string[] {
  const { positions, location, timestamp } = write.body;
  if (Array.isArray(positions)) return positions.map(placeOf);
  if (write.operation === 'recordTrackingEvent' && isKnown(location))
    return [placeOf({ ...location, updated_at: timestamp })];
  return [];
}

const placeOf = ({ lat, lng, address = null, updated_at }: Known): string => `${updated_at} ${lat} ${lng} ${address}`;
