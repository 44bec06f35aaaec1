import type { components } from '@waybill/contract/types';
import { eventUuid, positionOfUuid, publicId, timeOfUuid, uuidFromPublicId } from '../database/identifiers.ts';
import type { EventPosition, EventRow } from '../event-feed/queries.ts';

/** Returns the public identifier of the event at a position. */
export const eventIdOf = ({ position, createdAt }: Required<EventPosition>): string =>
  publicId('evt', eventUuid(createdAt, position));

/** Returns the time and the position that the public identifier of an event contains. */
export function partsOfEventId(id: string): Required<EventPosition> {
  const uuid = uuidFromPublicId('evt', id);
  return { createdAt: timeOfUuid(uuid), position: positionOfUuid(uuid) };
}

/** Returns an event as callers see it. */
export const eventFrom = ({ position, created_at, type, data }: EventRow): components['schemas']['Event'] => ({
  id: eventIdOf({ position, createdAt: created_at }),
  type,
  created_at: created_at.toISOString(),
  data,
});

/** Returns an event as a Server-Sent Event. The streams that share a row share its text. */
export function eventText(row: EventRow): Buffer {
  if (!row.text) {
    const event = eventFrom(row);
    row.text = Buffer.from(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  return row.text;
}
