import { Readable } from 'node:stream';
import type { Handler } from '../contract/handler-types.ts';
import { maxRead, selectEvents } from '../event-feed/queries.ts';
import { positionAfter } from './after.ts';
import { eventStream } from './stream.ts';
import { typesOf } from './types.ts';

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no', // nginx would send events late
} as const;

export const streamEvents: Handler<'streamEvents'> = async ({ query, headers: sent }, context) => {
  const { accountId, db, feed, log, openReader, streamSeconds, untilDisconnected } = context;
  const disconnected = untilDisconnected(); // the client may disconnect before the position is known
  const after = await positionAfter(sent['last-event-id'] ?? query.after, context);
  const stored = await selectEvents(db, accountId, after, maxRead); // fails before the response begins
  const end = openReader();
  const body = Readable.from(
    eventStream({
      ...{ feed, accountId, after, stored, disconnected },
      types: typesOf(query.types),
      seconds: streamSeconds,
      onError: (error) => logOnce(log, error),
    }),
  );
  body.once('close', end);
  const destroy = (): void => void body.destroy();
  disconnected.addEventListener('abort', destroy);
  if (disconnected.aborted) destroy();
  return { status: 200, headers, body };
};

const logged = new WeakSet<object>();

/** Streams of an account share their reads, and so their errors. */
function logOnce(log: { warn(fields: object, message: string): void }, error: unknown): void {
  if (typeof error === 'object' && error !== null) {
    if (logged.has(error)) return;
    logged.add(error);
  }
  log.warn({ err: error }, 'event streams end because their events cannot be read');
}
