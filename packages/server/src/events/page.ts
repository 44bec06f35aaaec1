import type { components } from '@waybill/contract/types';
import { Problem } from '@waybill/http/problems';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { type EventFeed, EventsLost, isEventOf } from '../event-feed/feed.ts';
import {
  type EventRef,
  type EventRow,
  isLastRemoved,
  refOfLast,
  selectEventsFrom,
  selectEventsOfTypes,
  selectLast,
} from '../event-feed/queries.ts';
import { partsOfEventId } from './event.ts';

type EventType = components['schemas']['EventType'];

/** Which events a reader wants. */
export interface EventFilter {
  accountId: string;
  after: EventRef;
  /** Undefined for all types. */
  types: Set<EventType> | undefined;
}

interface Page {
  events: EventRow[];
  /** Where the next page begins; undefined without an event. */
  last: Required<EventRef> | undefined;
  hasMore: boolean;
}

/** Reads the query parameters `after` and `types`. */
export const filterFrom = (
  accountId: string,
  { after, types }: { after?: string | undefined; types?: EventType[] | undefined },
): EventFilter => ({
  accountId,
  after: after === undefined ? { number: 0 } : partsOfEventId(after),
  types: types === undefined ? undefined : new Set(types),
});

/**
 * The same for a stream of an access. It begins with the next event: a search for the earlier events of one shipment would
 * read those of the whole account.
 */
export async function filterFromNow(
  db: Kysely<Tables>,
  accountId: string,
  { types }: { types?: EventType[] },
): Promise<EventFilter> {
  const filter = filterFrom(accountId, { types });
  return { ...filter, after: (await selectLast(db, accountId)) ?? filter.after };
}

export const isWanted =
  (types: EventFilter['types']) =>
  ({ type }: EventRow): boolean =>
    !types || types.has(type);

/**
 * The events after one that a client names, at most `limit`.
 * @throws {Problem} events_expired when that event is not stored: clean-up has removed it and later ones, or the database
 * was restored from a backup that lacks it
 */
export async function readAfterKnown(
  db: Kysely<Tables>,
  { accountId, after }: EventFilter,
  limit: number,
): Promise<EventRow[]> {
  const rows = await selectEventsFrom(db, accountId, after, limit + 1);
  if (isEventOf(after, rows[0])) return rows.slice(1);
  if (after.number > 0 && !(await isLastRemoved(db, accountId, after.number))) throw eventsExpired();
  return rows.slice(0, limit);
}

/** Reads a page of the events that are stored. @throws {Problem} events_expired */
export async function readPage(db: Kysely<Tables>, filter: EventFilter, limit: number): Promise<Page> {
  const { accountId, after, types } = filter;
  if (!types) return pageOf(await readAfterKnown(db, filter, limit + 1), limit);
  await readAfterKnown(db, filter, 0);
  // Before the events: those that are stored meanwhile are later, and belong to the next page.
  const end = await selectLast(db, accountId);
  if (!end || end.number <= after.number) return { events: [], last: undefined, hasMore: false };
  const range = { after, upTo: end.number, types: [...types] };
  return pageOf(await selectEventsOfTypes(db, accountId, range, limit + 1), limit, end);
}

/** Waits for the next events, until the signal aborts. @throws {Problem} events_expired */
export async function waitForPage(
  feed: EventFeed,
  { accountId, after, types }: EventFilter,
  limit: number,
  signal: AbortSignal,
): Promise<Page> {
  let last: Page['last'];
  for (;;) {
    const rows = await feed.next(accountId, last ?? after, signal).catch(throwExpired);
    const end = refOfLast(rows);
    if (!end) return { events: [], last, hasMore: false };
    const wanted = rows.filter(isWanted(types));
    if (wanted.length > 0) return pageOf(wanted, limit, end);
    last = end;
  }
}

/** @param end the last event that was examined; by default the last one of the page */
function pageOf(rows: EventRow[], limit: number, end?: Page['last']): Page {
  const events = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  const last = refOfLast(events);
  return { events, last: hasMore ? last : (end ?? last), hasMore };
}

function throwExpired(error: unknown): never {
  throw error instanceof EventsLost ? eventsExpired() : error;
}

const eventsExpired = (): Problem => new Problem('events_expired', 'The list does not contain this event any more.');
