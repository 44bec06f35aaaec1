import { type Clock, rangeText, shortText } from '../../text/times.ts';
import { estimate } from '../../tracking/arrival.ts';
import { endedAt, isActive, type Row } from '../shipments/rows.ts';
import { messages } from '../texts.ts';
import { unknown } from '../words.ts';

/** When a shipment arrives, with a window, or when it has ended. */
export function arrivalText(row: Row, clock: Clock): string {
  const { shipment, tracking } = row;
  if (!isActive(row)) return shortText(new Date(endedAt(row)), clock);
  if (tracking.eta !== null) return estimate(new Date(tracking.eta), clock).text;
  const { delivery_window: window } = shipment;
  return window ? messages.planned(rangeText(new Date(window.start), new Date(window.end), clock)) : unknown;
}
