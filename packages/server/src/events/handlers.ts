import { dayLength } from '@waybill/contract/duration';
import { defaultPageSize } from '@waybill/contract/limits';
import type { Handler, ReadContext } from '../contract/handler-types.ts';
import { hasRemovedEvents, maxRead, selectEvents } from '../event-feed/queries.ts';
import { eventDays } from '../event-feed/retention.ts';
import { Problem } from '../http/problems.ts';
import { eventFrom, eventIdOf, partsOfEventId } from './event.ts';
import { readPage } from './page.ts';

export const listEvents: Handler<'listEvents'> = async ({ query }, context) => {
  const { accountId, db, feed, untilDisconnected } = context;
  const { limit = defaultPageSize, after: afterId, types: typeList, wait = 0 } = query;
  const after = afterId === undefined ? 0n : await positionOrThrow(afterId, context);
  const types = typeList === undefined ? undefined : new Set<string>(typeList.split(','));
  const waits = wait > 0;
  const end = waits ? AbortSignal.any([untilDisconnected(), AbortSignal.timeout(wait * 1000)]) : undefined;
  const readSize = waits || types ? maxRead : limit + 1;
  const page = await readPage({
    ...{ after, limit, types, waits, readSize },
    read: (position) => (end ? feed.next(accountId, position, end) : selectEvents(db, accountId, position, readSize)),
  });
  const { events, last, hasMore } = page;
  const next_after = last ? eventIdOf(last) : (afterId ?? null);
  return { status: 200, body: { data: events.map(eventFrom), has_more: hasMore, next_after } };
};

/**
 * Returns the position of an event.
 * @throws {Problem} events_expired when later events have been removed
 */
async function positionOrThrow(id: string, { accountId, db, now }: ReadContext): Promise<bigint> {
  const { createdAt, position } = partsOfEventId(id);
  // Later events are younger. A day more, because clocks differ.
  const mayBeRemoved = now.getTime() - createdAt.getTime() > (eventDays - 1) * dayLength;
  if (mayBeRemoved && (await hasRemovedEvents(db, accountId, position))) {
    throw new Problem('events_expired', 'Events after this one are no longer retained.');
  }
  return position;
}
