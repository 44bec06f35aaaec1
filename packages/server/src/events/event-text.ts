import type { EventRow } from '../event-feed/queries.ts';
import { eventFrom } from './event.ts';

/** The rows that streams share have one text. */
const texts = new WeakMap<EventRow, Buffer>();

/** Returns an event as a Server-Sent Event. */
export function eventText(row: EventRow): Buffer {
  const known = texts.get(row);
  if (known) return known;
  const event = eventFrom(row);
  const text = Buffer.from(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  texts.set(row, text);
  return text;
}
