import type { EventData } from '@waybill/contract/events';
import type { components } from '@waybill/contract/types';
import { eventText, liveEventText } from '@waybill/http/streamed-body';
import type { Access, Visibility } from '../auth/visibility.ts';
import { eventUuid, numberOfUuid, publicId, timeOfUuid, uuidFromPublicId } from '../database/identifiers.ts';
import { isoText } from '../database/times.ts';
import { type EventRef, type EventRow, refOf, type StoredEvent } from '../event-feed/queries.ts';

/** Returns the public identifier of an event. */
export const eventIdOf = ({ number, createdAt }: Required<EventRef>): string =>
  publicId('evt', eventUuid(createdAt, number));

/** Returns the time and the number that the public identifier of an event contains. */
export function partsOfEventId(id: string): Required<EventRef> {
  const uuid = uuidFromPublicId('evt', id);
  return { createdAt: timeOfUuid(uuid), number: numberOfUuid(uuid) };
}

/** Returns an event as callers see it. */
export const eventFrom = (row: StoredEvent): components['schemas']['Event'] =>
  ({
    id: eventIdOf(refOf(row)),
    type: row.type,
    created_at: isoText(row.created_at),
    data: dataFrom(row), // the data of its type: it was appended so
  }) as components['schemas']['Event'];

/** The statement that stores a group of positions cannot make the public id of a shipment: it is added here. */
function dataFrom({ shipment_id, data }: StoredEvent): EventData {
  const { tracking_change } = data;
  if (!tracking_change || shipment_id === null) return data;
  return { ...data, tracking_change: { ...tracking_change, shipment_id: publicId('ship', shipment_id) } };
}

/** Returns an event as a Server-Sent Event. The streams that share a row share its text. */
export function eventBytes(row: EventRow): Buffer {
  row.text ??= Buffer.from(eventText(eventFrom(row)));
  return row.text;
}

/** Makes the function that returns an event as an access shows it; undefined for one that it does not show. */
export function accessBytes(access: Access, { visibleEvent }: Visibility): (row: EventRow) => Buffer | undefined {
  const shipmentId = uuidFromPublicId('ship', access.shipmentId);
  const view = [access.kind, access.detail, access.documents, ...access.scopes].join(' ');
  return (row) => {
    if (row.shipment_id !== shipmentId) return undefined;
    row.accessTexts ??= new Map();
    if (!row.accessTexts.has(view)) {
      const event = visibleEvent(eventFrom(row), access);
      row.accessTexts.set(view, event && Buffer.from(liveEventText(event)));
    }
    return row.accessTexts.get(view);
  };
}
