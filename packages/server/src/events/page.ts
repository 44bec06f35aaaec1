import type { EventRow } from '../event-feed/queries.ts';

/** Events that a request examines at most when few of them have its types. */
const maxExamined = 1000;

interface PageRequest {
  /** Only later positions. */
  after: bigint;
  limit: number;
  /** Undefined for all types. */
  types: Set<string> | undefined;
  /** Whether `read` waits until there are events. */
  waits: boolean;
  /** Reads events after a position, at most `readSize`. */
  read(after: bigint): Promise<EventRow[]>;
  readSize: number;
}

interface Page {
  events: EventRow[];
  /** The last event that was examined; undefined when there was none. */
  last: EventRow | undefined;
  /** Whether there may be later events now. */
  hasMore: boolean;
}

/** Reads until an event has one of the types, no event is left, or enough of them have been examined. */
export async function readPage({ after, limit, types, waits, read, readSize }: PageRequest): Promise<Page> {
  const page: Page = { events: [], last: undefined, hasMore: false };
  let examined = 0;
  do {
    const rows = await read(page.last?.position ?? after);
    if (rows.length === 0) return { ...page, hasMore: false };
    examined += rows.length;
    page.hasMore = rows.length >= readSize;
    for (const row of rows) {
      if (page.events.length === limit) return { ...page, hasMore: true };
      if (!types || types.has(row.type)) page.events.push(row);
      page.last = row;
    }
  } while (page.events.length === 0 && examined < maxExamined && (page.hasMore || waits));
  return page;
}
