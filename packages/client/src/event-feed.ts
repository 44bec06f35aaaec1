import { checkKeys } from './arguments.ts';
import type { CallOptions } from './calls.ts';
import { pause } from './deadline.ts';
import type { Operations } from './generated/operations.ts';
import type { Event, EventData, EventId, EventMembers, KnownEventType } from './generated/schemas.ts';

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
  [Type in KnownEventType]: EventOf<Type, EventData & Required<Pick<EventData, EventMembers[Type]>>>;
}[KnownEventType];

/**
 * A change. Its `type` determines its data: `if (event.type === 'shipment.created') use(event.data.shipment)`.
 * New types may be added within a major version.
 */
export type WaybillEvent = KnownEvent | EventOf<UnknownEventType, EventData & { [name: string]: unknown }>;

/** Where `events` starts, and what it yields. */
export interface EventsQuery<Type = WaybillEvent['type']> {
  /** The `id` of the last event that was processed. Default, or null: start with the oldest event that is retained. */
  after?: EventId | null | undefined;
  /** Only events of these types. Default: all types. */
  types?: readonly Type[] | undefined;
  /** Maximum number of events per request. 1 to 100. Default: 25. */
  limit?: number | undefined;
  /** Seconds that a request waits for the next event. 0 to 30. Default: 20. */
  wait?: number | undefined;
}

/** Options of `events`. */
export type EventsOptions = Pick<CallOptions, 'signal' | 'headers'>;

/** Least milliseconds between requests that return no event, for example while the service shuts down. */
const idleInterval = 1_000;

/** See `Client.events`. @param attemptTimeout milliseconds of a request, in addition to its wait */
export async function* eachEvent<Type extends WaybillEvent['type']>(
  listEvents: Operations['listEvents'],
  attemptTimeout: number,
  query: EventsQuery<Type> = {},
  options: EventsOptions = {},
): AsyncGenerator<Extract<WaybillEvent, { type: Type }>, void, undefined> {
  checkKeys('events query', query, ['after', 'types', 'limit', 'wait']);
  checkKeys('events options', options, ['signal', 'headers']);
  const { types, limit, wait = 20 } = query;
  const { signal } = options;
  const unlimited = Number.POSITIVE_INFINITY;
  let after = query.after ?? undefined;
  let hasMore = false;
  for (;;) {
    const start = performance.now();
    const { data: page } = await listEvents({
      ...options,
      query: { after, types: types?.join(), limit, wait: hasMore ? undefined : wait },
      attemptTimeout: wait * 1000 + attemptTimeout,
      timeout: unlimited,
      maxRetries: unlimited,
    });
    for (const event of page.data) {
      yield event as Extract<WaybillEvent, { type: Type }>;
      if (signal?.aborted) break; // the next request throws
    }
    // With `types` it is later than the last event that was returned.
    const next = page.next_after ?? undefined;
    if (next === after) await pause(Math.max(0, start + idleInterval - performance.now()), signal);
    after = next;
    hasMore = page.has_more;
  }
}
