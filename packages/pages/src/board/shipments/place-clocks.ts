import { type Clock, isZone } from '../../text/times.ts';
import { readZone, zoneQuery } from '../../text/zones.ts';
import type { Row } from './rows.ts';

type Address = Row['shipment']['origin'];

/** Requests at the same time. */
const maxRequests = 4;

/** The query of an address → its time zone; undefined while it is not known, or if it has none. */
const zones = new Map<string, string | undefined>();
const waiting: string[] = [];
let running = 0;
let changed = (): void => {};

/** Calls a function after time zones have become known. */
export function onZone(listener: () => void): void {
  changed = listener;
}

/** The times of the place where a shipment is delivered. */
export const destinationClock = ({ shipment }: Row, clock: Clock): Clock => clockAt(shipment.destination, clock);

/** The times of the place where it is picked up. */
export const originClock = ({ shipment }: Row, clock: Clock): Clock => clockAt(shipment.origin, clock);

/** The times of a place: with their zone, unless it is that of the reader. The list of all cities is no part of the page. */
function clockAt(address: Address, clock: Clock): Clock {
  const query = zoneQuery(address);
  if (!zones.has(query)) {
    zones.set(query, undefined);
    waiting.push(query);
    void ask();
  }
  const zone = zones.get(query);
  return zone === undefined || zone === clock.zone ? clock : { ...clock, zone, isNamed: true };
}

async function ask(): Promise<void> {
  if (running >= maxRequests) return;
  running++;
  for (let query = waiting.shift(); query !== undefined; query = waiting.shift()) {
    const zone = await readZone(query).catch(() => undefined); // then the times are those of the reader
    if (isZone(zone)) {
      zones.set(query, zone);
      changed();
    }
  }
  running--;
}
