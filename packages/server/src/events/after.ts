import { dayLength } from '@waybill/contract/duration';
import type { ReadContext } from '../contract/handler-types.ts';
import { hasRemovedEvents } from '../event-feed/queries.ts';
import { eventDays } from '../event-feed/retention.ts';
import { Problem } from '../http/problems.ts';
import { partsOfEventId } from './event.ts';

/**
 * Returns the position of an event after which a reader starts; 0 without an id.
 * @throws {Problem} events_expired when later events have been removed
 */
export async function positionAfter(
  id: string | undefined,
  { accountId, db, now }: Pick<ReadContext, 'accountId' | 'db' | 'now'>,
): Promise<bigint> {
  if (id === undefined) return 0n;
  const { createdAt, position } = partsOfEventId(id);
  // Later events are younger. A day more, because clocks differ. This saves a search; it would be wrong if events had been
  // retained for fewer days before.
  const mayBeRemoved = now.getTime() - createdAt.getTime() > (eventDays - 1) * dayLength;
  if (mayBeRemoved && (await hasRemovedEvents(db, accountId, position))) {
    throw new Problem('events_expired', 'Events after this one are no longer retained.');
  }
  return position;
}
