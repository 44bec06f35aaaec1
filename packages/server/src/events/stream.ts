import type { EventFeed } from '../event-feed/feed.ts';
import type { EventRow } from '../event-feed/queries.ts';
import { streamTimes } from '../event-feed/stream-times.ts';
import { eventIdOf } from './event.ts';
import { eventText } from './event-text.ts';

/** Bytes from which events that are read together are sent in several parts. */
const maxPart = 16 * 1024;

interface StreamOptions {
  feed: EventFeed;
  accountId: string;
  /** Only later positions. */
  after: bigint;
  /** The next events after it that are already stored. */
  stored: EventRow[];
  /** Undefined for all types. */
  types: Set<string> | undefined;
  /** Seconds after which the stream ends. */
  seconds: number;
  disconnected: AbortSignal;
  /** Called when the events cannot be read. The stream then ends, and the client resumes it. */
  onError(error: unknown): void;
}

/**
 * The parts of a stream of Server-Sent Events. Events are read only when the client has taken the earlier ones, so that a
 * slow client needs no more memory.
 */
export async function* eventStream(options: StreamOptions): AsyncGenerator<Buffer, void, undefined> {
  const { feed, types, seconds, disconnected, onError } = options;
  const { leastRetry, mostRetry } = streamTimes;
  yield Buffer.from(`retry: ${Math.round(leastRetry + Math.random() * (mostRetry - leastRetry))}\n\n`);
  const end = performance.now() + seconds * 1000;
  let heartbeat = performance.now() + streamTimes.heartbeat;
  let { after, stored: rows } = options;
  /** The last event that was read, if it was not sent. */
  let unsent: EventRow | undefined;
  for (;;) {
    const last = rows.at(-1);
    after = last?.position ?? after;
    const events = types ? rows.filter(({ type }) => types.has(type)) : rows;
    for (const part of parts(events)) yield part;
    if (last) unsent = last === events.at(-1) ? undefined : last;
    const isSilent = events.length === 0 && performance.now() >= heartbeat;
    if (isSilent) {
      yield unsent ? idText(unsent) : comment;
      unsent = undefined;
    }
    if (isSilent || events.length > 0) heartbeat = performance.now() + streamTimes.heartbeat;
    if (disconnected.aborted || feed.isClosed() || performance.now() >= end) break;
    try {
      rows = await nextUntil(Math.min(heartbeat, end), options, after);
    } catch (error) {
      onError(error);
      break;
    }
  }
  if (unsent) yield idText(unsent);
}

const comment = Buffer.from(': heartbeat\n\n');

/** The position in the list without an event. A client resumes after it. */
const idText = (row: EventRow): Buffer => Buffer.from(`id: ${eventIdOf(row)}\n\n`);

/** Waits for the next events, until a time of `performance.now()` or until the client has disconnected. */
async function nextUntil(
  time: number,
  { feed, accountId, disconnected }: StreamOptions,
  after: bigint,
): Promise<EventRow[]> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, Math.max(0, time - performance.now()));
  disconnected.addEventListener('abort', abort);
  try {
    return await feed.next(accountId, after, controller.signal);
  } finally {
    clearTimeout(timer);
    disconnected.removeEventListener('abort', abort);
  }
}

/** The texts of events, joined as long as they are short. A single event is not copied. */
function* parts(events: EventRow[]): Generator<Buffer> {
  let texts: Buffer[] = [];
  let bytes = 0;
  for (const event of events) {
    const text = eventText(event);
    texts.push(text);
    bytes += text.length;
    if (bytes < maxPart && event !== events.at(-1)) continue;
    yield texts.length === 1 ? text : Buffer.concat(texts, bytes);
    texts = [];
    bytes = 0;
  }
}
