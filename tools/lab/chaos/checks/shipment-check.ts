import { isDeepStrictEqual } from 'node:util';
import type { CurrentLocation, Shipment, TrackingStatus } from '@waybill/client';
import type { Entry } from '@waybill/sandbox/simulate/writes';

/** Everything that the service returns about a shipment. */
export interface State {
  /** All shipments with its reference. */
  shipments: Shipment[];
  tracking?: TrackingStatus;
  positions: CurrentLocation[];
  /** Without signed URLs; undefined before delivery. */
  proof?: unknown;
  /** Whether all files of the proof are stored with their bytes; undefined before delivery. */
  hasFiles?: boolean;
}

/** Messages about effects that are missing, and about effects that happened twice or without a request. */
export interface Findings {
  lost: string[];
  duplicated: string[];
}

type Members = Record<string, unknown>;

const succeeded = ({ result }: Entry): boolean => result !== undefined && result.status < 300;
const mayHaveSucceeded = (entry: Entry): boolean => entry.result === undefined || succeeded(entry);
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** Compares the acknowledged writes of a shipment with the state that the service returns. */
export function checkShipment(reference: string, entries: Entry[], state: State): Findings {
  const findings: Findings = { lost: [], duplicated: [] };
  const { lost, duplicated } = findings;
  const certain = entries.filter(succeeded);
  const possible = entries.filter(mayHaveSucceeded);

  const created = of('createShipment', certain)[0]?.result?.body;
  if (isObject(created) && state.shipments[0]?.id !== created.id) lost.push(`${reference}: shipment ${created.id}`);
  const most = of('createShipment', possible).length > 0 ? 1 : 0;
  if (state.shipments.length > most) duplicated.push(`${reference}: ${state.shipments.length} shipments`);

  const timeline = state.tracking?.timeline.map(({ status, timestamp }) => eventText(status, timestamp)) ?? [];
  compare(timeline, certain.flatMap(eventsOf), possible.flatMap(eventsOf), `${reference}: event`, findings);
  if (state.tracking && state.tracking.timeline.at(-1)?.status !== state.shipments[0]?.status)
    lost.push(`${reference}: status ${state.shipments[0]?.status}`);

  const route = state.positions.map((position) => positionText({ ...position }));
  compare(route, certain.flatMap(positionsOf), possible.flatMap(positionsOf), `${reference}: position`, findings);

  const exceptions = state.tracking?.exceptions?.map((exception) => exceptionText({ ...exception })) ?? [];
  compare(exceptions, exceptionsOf(certain), exceptionsOf(possible), `${reference}: exception`, findings);

  const notes = state.shipments.flatMap((shipment) => shipment.notes ?? []);
  compare(notes, notesOf(certain), notesOf(possible), `${reference}: notes`, findings);

  const proof = of('submitProofOfDelivery', certain)[0]?.result?.body;
  if (proof && !isDeepStrictEqual(proof, state.proof)) lost.push(`${reference}: proof of delivery`);
  if (state.hasFiles === false) lost.push(`${reference}: a file of the proof of delivery`);
  return findings;
}

const of = (operation: string, entries: Entry[]): Entry[] =>
  entries.filter(({ write }) => write.operation === operation);

/** Every certain item must be found, only possible items may be found, and none twice. */
function compare(items: string[], certain: string[], possible: string[], what: string, findings: Findings): void {
  const found = new Set(items);
  for (const item of new Set(certain)) if (!found.has(item)) findings.lost.push(`${what} ${item}`);
  const allowed = new Set(possible);
  for (const item of found) if (!allowed.has(item)) findings.duplicated.push(`${what} ${item} without a request`);
  if (found.size < items.length) findings.duplicated.push(`${what}: ${items.length - found.size} twice`);
}

/** Without the time for `scheduled` and `cancelled`, whose timestamp the service sets. */
const eventText = (status: unknown, time: unknown): string =>
  status === 'scheduled' || status === 'cancelled' ? status : `${status} ${time}`;

/** The timeline entry that a write adds. */
function eventsOf({ write: { operation, body } }: Entry): string[] {
  if (operation === 'createShipment') return [eventText('scheduled', undefined)];
  if (operation === 'cancelShipment') return [eventText('cancelled', undefined)];
  if (operation === 'recordTrackingEvent') return [eventText(body.status, body.timestamp)];
  if (operation === 'submitProofOfDelivery') return [eventText('delivered', body.delivered_at)];
  return [];
}

const exceptionText = ({ code, occurred_at }: Members): string => `${code} ${occurred_at}`;

/** The exceptions that writes raise. */
const exceptionsOf = (entries: Entry[]): string[] =>
  of('raiseException', entries).map(({ write }) => exceptionText(write.body));

/** The notes that writes set. Each shipment of the simulation has at most one such write that can succeed. */
const notesOf = (entries: Entry[]): string[] =>
  of('updateShipment', entries).map(({ write }) => String(write.body.notes));

/** The positions that a write adds to the route. */
function positionsOf({ write }: Entry): string[] {
  const { positions, location, timestamp } = write.body;
  if (Array.isArray(positions)) return positions.map(positionText);
  if (write.operation === 'recordTrackingEvent' && isObject(location))
    return [positionText({ ...location, updated_at: timestamp })];
  return [];
}

const positionText = ({ lat, lng, address = null, updated_at }: Members): string =>
  `${updated_at} ${lat} ${lng} ${address}`;
