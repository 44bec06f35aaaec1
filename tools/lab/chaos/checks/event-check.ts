import { isDeepStrictEqual } from 'node:util';
import type { WaybillEvent } from '@waybill/client';
import { type EventReader, untilRead } from '../readers/event-readers.ts';
import type { Run } from './check.ts';
import type { State } from './shipment-check.ts';

/** What a reader has received. */
export interface EventCheck {
  name: string;
  events: number;
  /** Changes of shipments without an event, events that the reader missed, and those that it has in another order. */
  lost: number;
  /** Events that the reader has twice. */
  duplicated: number;
}

/**
 * Compares the events with the shipments, and what each reader has received with the events. Reports what is wrong. The
 * service must be idle.
 * @param states the shipments by their reference
 */
export async function checkEvents(
  { client, report, signal }: Run,
  readers: EventReader[],
  states: Map<string, State>,
): Promise<EventCheck[]> {
  const stored: WaybillEvent[] = [];
  for await (const event of client.listEvents({ limit: 100 }, { signal })) stored.push(event);
  const missing = [...states].flatMap(([reference, state]) => changesWithoutEvent(reference, state, stored));
  for (const each of missing) report(each);

  const checks: EventCheck[] = [];
  for (const reader of readers) {
    await untilRead(reader, stored.length, signal);
    const received = [...new Map(reader.events.map((event) => [event.id, event])).values()];
    const inOrder = (events: WaybillEvent[]) =>
      reader.isOrderedByShipment ? events.toSorted((a, b) => shipmentOf(a).localeCompare(shipmentOf(b))) : events;
    const lost = different(inOrder(stored), inOrder(received));
    const duplicated = reader.events.length - received.length;
    if (reader.failure !== undefined) report(`${reader.name} ended: ${reader.failure}`);
    if (lost > 0) report(`${reader.name} has missed or exchanged ${lost} events`);
    checks.push({ name: reader.name, events: stored.length, lost: lost + missing.length, duplicated });
  }
  return checks;
}

const shipmentOf = ({ data }: WaybillEvent): string =>
  (data.shipment ?? data.tracking ?? data.tracking_change ?? data.exception_change ?? data.document_change)
    ?.tracking_number ?? '';

/** The number of events that are missing or at another place. */
const different = (stored: WaybillEvent[], received: WaybillEvent[]): number =>
  stored.filter((event, index) => !isDeepStrictEqual(event, received[index])).length;

/** Compares the events of a shipment, in their order, with its timeline, its current location and its arrival. */
function changesWithoutEvent(reference: string, { shipments, tracking }: State, stored: WaybillEvent[]): string[] {
  const [shipment] = shipments;
  if (!shipment || !tracking) return [];
  const own = stored.filter((event) => shipmentOf(event) === tracking.tracking_number);
  const last = (type: WaybillEvent['type']) => own.findLast((event) => event.type === type)?.data.tracking_change;
  const statuses = own
    .filter(({ type }) => ['shipment.created', 'shipment.cancelled', 'tracking.status_reached'].includes(type))
    .map(({ data }) => (data.shipment ?? data.tracking)?.status);
  const facts: [string, unknown, unknown][] = [
    ['statuses', statuses, tracking.timeline.map(({ status }) => status)],
    ['current location', last('tracking.location_changed')?.current_location ?? null, tracking.current_location],
    ['arrival', last('tracking.eta_changed')?.eta ?? null, tracking.eta],
    ['notes', own.findLast(({ data }) => data.shipment)?.data.shipment?.notes, shipment.notes],
    ['proof', own.some(({ type }) => type === 'proof_of_delivery.submitted'), tracking.status === 'delivered'],
  ];
  return facts
    .filter(([, found, expected]) => !isDeepStrictEqual(found, expected))
    .map(
      ([what, found, expected]) =>
        `${reference}: events end with the ${what} ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`,
    );
}
