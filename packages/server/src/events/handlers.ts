import { defaultPageSize } from '@waybill/contract/limits';
import { Problem } from '@waybill/http/problems';
import type { Services } from '../feature.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import { accessBytes, eventBytes, eventFrom, eventIdOf } from './event.ts';
import { filterFrom, filterFromNow, readAfterKnown, readPage, waitForPage } from './page.ts';
import { eventStream } from './stream.ts';

/** The operations on events. */
export const eventHandlers = ({
  feed,
  streamSeconds,
  visibility,
}: Pick<Services, 'feed' | 'streamSeconds' | 'visibility'>): Pick<Handlers, 'listEvents' | 'streamEvents'> => ({
  async listEvents({ query }, { accountId, db, releaseSlots, openReader, untilDisconnected }) {
    const { limit = defaultPageSize, wait = 0, after, types, ...others } = query;
    others satisfies Record<string, never>; // every parameter is read
    const keyEnded = wait > 0 ? openReader().keyEnded : undefined;
    const filter = filterFrom(accountId, { after, types });
    let page = await readPage(db, filter, limit);
    if (keyEnded && page.events.length === 0) {
      releaseSlots();
      const end = AbortSignal.any([untilDisconnected(), keyEnded, AbortSignal.timeout(wait * 1000)]);
      const from = { ...filter, after: page.last ?? filter.after };
      const { last = page.last, ...later } = await waitForPage(feed, from, limit, end);
      if (keyEnded.aborted) throw new Problem('unauthenticated', 'The API key is no longer valid.');
      page = { ...later, last };
    }
    const next_after = page.last ? eventIdOf(page.last) : (after ?? null);
    return { status: 200, body: { data: page.events.map(eventFrom), has_more: page.hasMore, next_after } };
  },

  async streamEvents({ query, headers }, context) {
    const { access, accountId, db } = context;
    const filter = access
      ? await filterFromNow(db, accountId, query)
      : filterFrom(accountId, { ...query, after: headers['last-event-id'] ?? query.after });
    const textOf = access ? accessBytes(access, visibility) : eventBytes;
    const stream = eventStream(context, filter, { feed, streamSeconds, textOf });
    await readAfterKnown(db, filter, 0); // fails before the response begins
    return stream;
  },
});
