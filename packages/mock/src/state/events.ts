import { type EventEmitter, once } from 'node:events';
import type { EventData } from '@waybill/contract/events';
import { defaultPageSize } from '@waybill/contract/limits';
import type { components, operations } from '@waybill/contract/types';
import { type Access, visibleEvent } from '@waybill/http/access';
import { newUuid, publicId, timeOfUuid } from '@waybill/http/identifiers';
import { eventsExpired } from '@waybill/http/shipments/refusals';
import { eventText, liveEventText, type StreamedBody } from '@waybill/http/streamed-body';

type Schemas = components['schemas'];
type Event = Schemas['Event'];

/** The feed of events. */
export interface EventLog {
  /** Oldest first. */
  events: Event[];
  /** Emits `append`. */
  emitter: EventEmitter;
}

/** Events that are stored. For one too many, the oldest is removed. */
const maxEvents = 1000;

export function addEvent(log: EventLog, type: Schemas['EventType'], data: EventData): void {
  const uuid = newUuid();
  log.events.push({ id: publicId('evt', uuid), type, created_at: timeOfUuid(uuid).toISOString(), data } as Event);
  if (log.events.length > maxEvents) log.events.shift();
  log.emitter.emit('append');
}

type Query = Omit<NonNullable<operations['listEvents']['parameters']['query']>, 'wait'>;
/** Which events a reader wants. */
export type EventQuery = { [Name in keyof Query]: Query[Name] | undefined };

/** @throws {Problem} events_expired when the feed does not contain `after` */
export function pageOfEvents(
  { events }: EventLog,
  { after, types, limit = defaultPageSize, ...others }: EventQuery,
): Schemas['EventList'] {
  others satisfies Record<string, never>; // every parameter is read
  const index = events.findIndex(({ id }) => id === after);
  if (after !== undefined && index < 0) throw eventsExpired();
  const later = events.slice(index + 1);
  const wanted = types?.split(',');
  const matching = later.filter(({ type }) => wanted?.includes(type) ?? true);
  const data = matching.slice(0, limit);
  const has_more = matching.length > limit;
  // It also passes events that `types` leaves out.
  const last = has_more ? data.at(-1) : later.at(-1);
  return { data, has_more, next_after: last?.id ?? after ?? null };
}

/** Waits until there is an event, or the signal aborts. @throws {Problem} events_expired */
export async function waitForEvents(
  log: EventLog,
  query: EventQuery,
  signal: AbortSignal,
): Promise<Schemas['EventList']> {
  let page = pageOfEvents(log, query);
  while (page.data.length === 0 && !signal.aborted) {
    await once(log.emitter, 'append', { signal }).catch(() => {});
    page = pageOfEvents(log, query);
  }
  return page;
}

/** Milliseconds between two comments. */
const heartbeat = 15_000;

/**
 * Makes a stream of the events after a position.
 * @param access limits it to what an access shows
 * @throws {Problem} events_expired
 */
export function streamOfEvents(
  log: EventLog,
  query: EventQuery,
  end: AbortSignal,
  access: Access | undefined,
): StreamedBody {
  const textOf = (event: Event): string => {
    if (!access) return eventText(event);
    const visible = visibleEvent(event, access);
    return visible ? liveEventText(visible) : '';
  };
  pageOfEvents(log, query); // fails before the response begins
  return async (write) => {
    const send = (text: string): Promise<void> => write(Buffer.from(text), () => {});
    await send('retry: 2000\n\n');
    let { after } = query;
    while (!end.aborted) {
      const signal = AbortSignal.any([end, AbortSignal.timeout(heartbeat)]);
      const page = await waitForEvents(log, { ...query, after }, signal).catch(() => undefined);
      if (!page) return; // the position was removed: the next request gets the error
      await send(page.data.map(textOf).join('') || ': heartbeat\n\n');
      after = page.next_after ?? undefined;
    }
  };
}
