import { defaultPageSize } from '@waybill/contract/limits';
import { Problem } from '@waybill/http/problems';
import { eventStreamHeaders } from '@waybill/http/streamed-body';
import type { Services } from '../feature.ts';
import type { Handlers } from '../operations/route-handlers.ts';
import { accessBytes, eventFrom, eventIdOf } from './event.ts';
import { filterFrom, filterFromNow, readAfterKnown, readPage, waitForPage } from './page.ts';
import { sendEvents } from './stream.ts';

/** The operations on events. */
export const eventHandlers = ({
  feed,
  streamSeconds,
  visibility,
}: Pick<Services, 'feed' | 'streamSeconds' | 'visibility'>): Pick<Handlers, 'listEvents' | 'streamEvents'> => ({
  async listEvents({ query }, { accountId, db, releaseSlots, openReader, untilDisconnected }) {
    const { limit = defaultPageSize, wait = 0, after, types, ...others } = query;
    others satisfies Record<string, never>; // every parameter is read
    // Before other work, during which the client may leave.
    const waiting = wait > 0 ? { disconnected: untilDisconnected(), keyEnded: openReader().keyEnded } : undefined;
    const filter = filterFrom(accountId, { after, types });
    let page = await readPage(db, filter, limit);
    if (waiting && page.events.length === 0) {
      releaseSlots();
      const { disconnected, keyEnded } = waiting;
      const end = AbortSignal.any([disconnected, keyEnded, AbortSignal.timeout(wait * 1000)]);
      const from = { ...filter, after: page.last ?? filter.after };
      const { last = page.last, ...later } = await waitForPage(feed, from, limit, end);
      if (keyEnded.aborted) throw new Problem('unauthenticated', 'The API key is no longer valid.');
      page = { ...later, last };
    }
    const next_after = page.last ? eventIdOf(page.last) : (after ?? null);
    return { status: 200, body: { data: page.events.map(eventFrom), has_more: page.hasMore, next_after } };
  },

  async streamEvents({ query, headers }, { access, accountId, db, log, openReader, untilDisconnected }) {
    const disconnected = untilDisconnected(); // the client may disconnect before the last event is known
    const filter = access
      ? await filterFromNow(db, accountId, query)
      : filterFrom(accountId, { ...query, after: headers['last-event-id'] ?? query.after });
    const end = AbortSignal.any([disconnected, openReader().keyEnded]);
    await readAfterKnown(db, filter, 0); // fails before the response begins
    const stream = {
      ...filter,
      access,
      feed,
      end,
      log,
      seconds: streamSeconds,
      ...(access && { textOf: accessBytes(access, visibility) }),
    };
    return {
      status: 200,
      headers: eventStreamHeaders,
      body: (write) => sendEvents(write, stream),
    };
  },
});
