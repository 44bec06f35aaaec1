import { isDeepStrictEqual } from 'node:util';
import { eventData } from '@waybill/contract/events';
import { defaultPageSize } from '@waybill/contract/limits';
import type { components, operations } from '@waybill/contract/types';
import { examplesOf } from './examples.ts';
import { newId } from './identifiers.ts';
import { isoTime } from './lifecycle.ts';
import { Refusal } from './responses.ts';
import type { MockShipment } from './shipments.ts';

type Schemas = components['schemas'];
type EventType = Schemas['EventType'];
type Event = Schemas['Event'];
type Query = NonNullable<operations['listEvents']['parameters']['query']>;

/** The event feed. */
export interface Events {
  append(type: EventType, about: Pick<MockShipment, 'shipment' | 'tracking'>): void;
  /** @throws {Refusal} events_expired */
  list(query: Query): Schemas['EventList'];
  /** The events of a time range, which does not include its end. Both are in UTC. */
  between(from: string, to: string): Event[];
}

/** Events that are stored; the oldest is removed for one too many. */
const maximum = 1000;

const examples = (): Event[] =>
  examplesOf('listEvents').flatMap(({ status, value }) => (status === 200 ? (value as Schemas['EventList']).data : []));

/** The events after a position. `next_after` also passes events of other types. */
function pageOf(later: Event[], { after, types, limit = defaultPageSize }: Query): Schemas['EventList'] {
  const wanted = types?.split(',');
  const matching = later.filter(({ type }) => wanted?.includes(type) ?? true);
  const data = matching.slice(0, limit);
  const has_more = matching.length > limit;
  const last = has_more ? data.at(-1) : later.at(-1);
  return { data, has_more, next_after: last?.id ?? after ?? null };
}

/** The contract's examples. There are no events after any other position. */
export const exampleEvents: Events = {
  append: () => {},
  list(query) {
    const events = examples();
    const index = events.findIndex(({ id }) => id === query.after);
    const start = query.after === undefined ? 0 : index < 0 ? events.length : index + 1;
    return pageOf(events.slice(start), query);
  },
  between: () => [],
};

/** Stored events, at first those of the contract. @param publish gets each appended event */
export function storedEvents(publish: (event: Event) => void): Events {
  const events = examples();
  return {
    append(type, about) {
      const name = eventData[type];
      if (name === 'webhook_endpoint') return; // the mock disables no endpoint
      // Later changes do not change the event.
      const data = structuredClone(name === 'tracking_change' ? { [name]: changeOf(about) } : { [name]: about[name] });
      const event = { id: newId('evt'), type, created_at: isoTime(Date.now()), data };
      events.push(event);
      if (events.length > maximum) events.shift();
      publish(event);
    },
    list(query) {
      if (query.after === undefined) return pageOf(events, query);
      const index = events.findIndex(({ id }) => id === query.after);
      // Removed, or of another mock, whose events are forgotten.
      if (index < 0) throw new Refusal('events_expired', 'The list does not contain this event any more.');
      return pageOf(events.slice(index + 1), query);
    },
    between: (from, to) => events.filter(({ created_at }) => from <= created_at && created_at < to),
  };
}

const changeOf = ({ shipment, tracking }: Pick<MockShipment, 'shipment' | 'tracking'>): Schemas['TrackingChange'] => {
  const { tracking_number, status, eta, current_location } = tracking;
  return { shipment_id: shipment.id, tracking_number, status, eta, current_location };
};

/** Makes a change, and appends an event for each part of the tracking status that differs from before. */
export function appendChanges(events: Events, about: MockShipment, change: () => void): void {
  const { status, current_location, eta } = about.tracking;
  change();
  const { tracking } = about;
  if (tracking.status !== status) events.append('tracking.status_reached', about);
  if (!isDeepStrictEqual(tracking.current_location, current_location))
    events.append('tracking.location_changed', about);
  if (tracking.eta !== eta) events.append('tracking.eta_changed', about);
}
