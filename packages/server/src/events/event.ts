import type { components } from '@waybill/contract/types';
import { eventUuid, positionOfUuid, publicId, timeOfUuid, uuidFromPublicId } from '../database/identifiers.ts';
import type { EventRow } from '../event-feed/queries.ts';

/** Returns the public identifier of an event. */
export const eventIdOf = ({ created_at, position }: Pick<EventRow, 'created_at' | 'position'>): string =>
  publicId('evt', eventUuid(created_at, position));

/** Returns the time and the position that the public identifier of an event contains. */
export function partsOfEventId(id: string): { createdAt: Date; position: bigint } {
  const uuid = uuidFromPublicId('evt', id);
  return { createdAt: timeOfUuid(uuid), position: positionOfUuid(uuid) };
}

/** Returns an event as callers see it. */
export const eventFrom = (row: EventRow): components['schemas']['Event'] => ({
  id: eventIdOf(row),
  type: row.type,
  created_at: row.created_at.toISOString(),
  data: row.data,
});
