import { type Clock, rangeText, shortText } from '../../text/times.ts';
import { estimate } from '../../tracking/arrival.ts';
import { isActive, type Row, reachedAt } from '../shipments/rows.ts';
import { messages } from '../texts.ts';
import { unknown } from '../words.ts';

/** When a shipment arrives, with a window, or when it was delivered. */
export function arrivalText(row: Row, clock: Clock): string {
  const { shipment, tracking } = row;
  const delivered = reachedAt(row, 'delivered');
  if (delivered !== undefined) return shortText(new Date(delivered), clock);
  if (!isActive(row)) return unknown;
  if (tracking.eta !== null) return estimate(new Date(tracking.eta), clock).text;
  const { delivery_window: window } = shipment;
  return window ? messages.planned(rangeText(new Date(window.start), new Date(window.end), clock)) : unknown;
}
