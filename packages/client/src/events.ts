import { checkKeys } from './arguments.ts';
import type { CallOptions } from './calls.ts';
import { pause } from './deadline.ts';
import type { eventMembers } from './generated/table.ts';
import type { Event, EventData, EventId, EventList, KnownEventType } from './generated/types.ts';

/** An enumeration, because its values are strings but none of the known types: comparisons narrow the event. */
declare enum UnknownType {
  any = '(unknown)',
}
/** A type that this version of the client does not know. It is any string. Assign it to a `string` to compare it. */
export type UnknownEventType = UnknownType;

type EventOf<Type, Data> = Omit<Event, 'type' | 'data'> & {
  /** What has changed. */
  type: Type;
  /** The resource after the change. */
  data: Data;
};

type KnownEvent = {
  [Type in KnownEventType]: EventOf<Type, EventData & Required<Pick<EventData, (typeof eventMembers)[Type]>>>;
}[KnownEventType];

/**
 * A change. Its `type` determines its data: `if (event.type === 'shipment.created') use(event.data.shipment)`.
 * New types may be added within a major version.
 */
export type WaybillEvent = KnownEvent | EventOf<UnknownEventType, EventData & { [name: string]: unknown }>;

/** Where `streamEvents` starts, and what it yields. */
export interface StreamParams<Type = WaybillEvent['type']> {
  /** The `id` of the last event that was processed. Default, or null: start with the oldest event that is retained. */
  after?: EventId | null | undefined;
  /** Only events of these types. Default: all types. */
  types?: readonly Type[] | undefined;
}

/** Where `listEvents` and `followEvents` start, and what they yield. */
export interface EventsParams<Type = WaybillEvent['type']> extends StreamParams<Type> {
  /** Maximum number of events per request. 1 to 100. Default: 25. */
  limit?: number | undefined;
  /** Seconds that a request waits for the next event. 0 to 30. Default: 20 for `followEvents`, 0 for `listEvents`. */
  wait?: number | undefined;
}

/** One page of events, in order. */
export interface EventPage<Type = WaybillEvent['type']> extends Omit<EventList, 'data'> {
  /** The events of this page. */
  data: Extract<WaybillEvent, { type: Type }>[];
}

/** Least milliseconds between requests that return no event, for example while the service shuts down. */
const idleInterval = 1_000;

/** See `Client.followEvents`. @param attemptTimeout milliseconds of a request, in addition to its wait */
export async function* followEvents<Type extends WaybillEvent['type']>(
  listEvents: (params: EventsParams<Type>, options: CallOptions) => Promise<EventPage<Type>>,
  attemptTimeout: number,
  params: EventsParams<Type> = {},
  options: Pick<CallOptions, 'signal' | 'headers'> = {},
): AsyncGenerator<Extract<WaybillEvent, { type: Type }>, void, undefined> {
  checkKeys('followEvents', params, ['after', 'types', 'limit', 'wait']);
  checkKeys('followEvents options', options, ['signal', 'headers']);
  const { wait = 20, ...query } = params;
  const { signal } = options;
  const unlimited = Number.POSITIVE_INFINITY;
  let after = query.after ?? undefined;
  let hasMore = false;
  for (;;) {
    const start = performance.now();
    const page = await listEvents(
      { ...query, after, wait: hasMore ? undefined : wait },
      { ...options, attemptTimeout: wait * 1000 + attemptTimeout, timeout: unlimited, maxRetries: unlimited },
    );
    for (const event of page.data) {
      yield event;
      if (signal?.aborted) break; // the next request throws
    }
    // With `types` it is later than the last event that was returned.
    const next = page.next_after ?? undefined;
    if (next === after) await pause(Math.max(0, start + idleInterval - performance.now()), signal);
    after = next;
    hasMore = page.has_more;
  }
}
