import { eventStreamHeaders, type StreamedBody, type WritePart } from '@waybill/http/streamed-body';
import type { Access } from '../auth/visibility.ts';
import { type EventFeed, EventsLost } from '../event-feed/feed.ts';
import { type EventRef, type EventRow, refOf } from '../event-feed/queries.ts';
import type { ReadContext } from '../operations/route-handlers.ts';
import { eventIdOf } from './event.ts';
import { type EventFilter, isWanted } from './page.ts';

/** Bytes from which events that are read together are sent in several parts. */
const maxPart = 16 * 1024;

interface Log {
  warn(fields: object, message: string): void;
}

interface StreamOptions extends EventFilter {
  /** Limits the stream to what an access shows. Then it has no ids, which would count the events of the account. */
  access: Access | undefined;
  /** What is sent of an event; undefined for nothing. */
  textOf: (row: EventRow) => Buffer | undefined;
  feed: EventFeed;
  /** Aborts when the client has disconnected or its key is no longer valid. */
  end: AbortSignal;
  /** Seconds after which the stream ends. */
  seconds: number;
  /** Gets the error when the events cannot be read. The stream then ends, and the client resumes it. */
  log: Log;
}

/**
 * Makes the response to a request that streams events. It counts the stream at once.
 * @throws {Problem} too_many_streams, unavailable
 */
export function eventStream(
  { access, log, openReader, untilDisconnected }: ReadContext,
  filter: EventFilter,
  { feed, streamSeconds, textOf }: Pick<StreamOptions, 'feed' | 'textOf'> & { streamSeconds: number },
): { status: 200; headers: typeof eventStreamHeaders; body: StreamedBody } {
  const end = AbortSignal.any([untilDisconnected(), openReader().keyEnded]);
  const options = { ...filter, access, end, feed, log, seconds: streamSeconds, textOf };
  return { status: 200, headers: eventStreamHeaders, body: (write) => sendEvents(write, options) };
}

/** How far a stream is. */
interface Progress {
  /** The last event that was sent or left out. */
  after: EventRef;
  /** Events after it that were read. */
  unsent: EventRow[];
  /** The last event that was left out after the last one that was sent. */
  leftOut: Required<EventRef> | undefined;
}

/**
 * Sends events as Server-Sent Events until the stream ends. Events are read only when the client has taken the earlier
 * ones. While it takes none, those that were read are dropped, and read again afterwards: a slow client needs no memory.
 */
export async function sendEvents(write: WritePart, options: StreamOptions): Promise<void> {
  const { access, accountId, feed, seconds, end, log } = options;
  const { leastRetry, mostRetry } = streamTimes;
  const progress: Progress = { after: options.after, unsent: [], leftOut: undefined };
  const dropUnsent = (): void => {
    progress.unsent = [];
  };
  let hasEnded = end.aborted; // a signal of several looks at them each time
  end.addEventListener('abort', () => {
    hasEnded = true;
  });
  const send = (part: Buffer): Promise<void> => write(part, dropUnsent);
  await send(Buffer.from(`retry: ${Math.round(leastRetry + Math.random() * (mostRetry - leastRetry))}\n\n`));
  const endTime = performance.now() + seconds * 1000;
  let heartbeat = performance.now() + streamTimes.heartbeat;
  for (;;) {
    while (progress.unsent.length > 0 && !hasEnded) {
      const part = takePart(progress, options);
      if (!part) continue;
      await send(part);
      heartbeat = performance.now() + streamTimes.heartbeat;
    }
    if (performance.now() >= heartbeat) {
      await send(progress.leftOut && !access ? idText(progress.leftOut) : comment);
      progress.leftOut = undefined;
      heartbeat = performance.now() + streamTimes.heartbeat;
    }
    if (hasEnded || feed.isClosed() || performance.now() >= endTime) break;
    try {
      progress.unsent = await feed.next(accountId, progress.after, end, Math.min(heartbeat, endTime));
    } catch (error) {
      if (!(error instanceof EventsLost)) logOnce(log, error);
      break;
    }
  }
  if (progress.leftOut && !access && !hasEnded) await send(idText(progress.leftOut));
}

const logged = new WeakSet<object>();

/** Streams of an account share their reads, and so their errors. */
function logOnce(log: Log, error: unknown): void {
  if (typeof error === 'object' && error !== null) {
    if (logged.has(error)) return;
    logged.add(error);
  }
  log.warn({ err: error }, 'event streams end because their events cannot be read');
}

/** Takes the next events, as long as they are short together. @returns undefined when all of them are left out */
function takePart(progress: Progress, { types, textOf }: StreamOptions): Buffer | undefined {
  const isSent = isWanted(types);
  const texts: Buffer[] = [];
  let bytes = 0;
  let taken = 0;
  for (const row of progress.unsent) {
    taken++;
    const ref = refOf(row);
    progress.after = ref;
    progress.leftOut = ref;
    const text = isSent(row) ? textOf(row) : undefined;
    if (!text) continue;
    progress.leftOut = undefined;
    texts.push(text);
    bytes += text.length;
    if (bytes >= maxPart) break;
  }
  progress.unsent = progress.unsent.slice(taken);
  return texts.length > 1 ? Buffer.concat(texts, bytes) : texts[0]; // a single one is not copied
}

const comment = Buffer.from(': heartbeat\n\n');

/** The id of an event without the event. A client resumes after it. */
const idText = (ref: Required<EventRef>): Buffer => Buffer.from(`id: ${eventIdOf(ref)}\n\n`);

/** The times of streams in milliseconds. Tests shorten them. */
export const streamTimes = {
  /** After so long without an event, a stream sends a comment. The contract states it. */
  heartbeat: 15_000,
  /** The least and the most of `retry`: clients that are disconnected together do not reconnect together. */
  leastRetry: 1000,
  mostRetry: 3000,
};
