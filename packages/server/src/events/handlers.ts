import { defaultPageSize } from '@waybill/contract/limits';
import type { Handler } from '../contract/handler-types.ts';
import { type EventRow, maxRead, selectEvents } from '../event-feed/queries.ts';
import { positionAfter } from './after.ts';
import { eventFrom, eventIdOf } from './event.ts';
import { readPage } from './page.ts';
import { typesOf } from './types.ts';

export const listEvents: Handler<'listEvents'> = async ({ query }, context) => {
  const { accountId, db, feed, openReader, untilDisconnected } = context;
  const { limit = defaultPageSize, after: afterId, types: typeList, wait = 0 } = query;
  const waits = wait > 0;
  // Before other work, during which the client may disconnect.
  const end = waits ? AbortSignal.any([untilDisconnected(), AbortSignal.timeout(wait * 1000)]) : undefined;
  const after = await positionAfter(afterId, context);
  const types = typesOf(typeList);
  const readSize = waits || types ? maxRead : limit + 1;
  const read = (position: bigint): Promise<EventRow[]> =>
    end ? feed.next(accountId, position, end) : selectEvents(db, accountId, position, readSize);
  const endReader = waits ? openReader() : undefined;
  const page = await readPage({ after, limit, types, waits, read, readSize }).finally(endReader);
  const { events, last, hasMore } = page;
  const next_after = last ? eventIdOf(last) : (afterId ?? null);
  return { status: 200, body: { data: events.map(eventFrom), has_more: hasMore, next_after } };
};
