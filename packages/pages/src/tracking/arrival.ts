import { entryOf } from '@waybill/contract/statuses';
import { type Clock, dayText, fullText, rangeText, timeText } from '../text/times.ts';
import type { PageContext } from './view.ts';

const minute = 60_000;
const hour = 60 * minute;

export interface Arrival {
  headline: string;
  /** The headline on paper, where "today" is ambiguous. */
  printed?: string;
  isLate: boolean;
  /** A sentence about lateness. */
  note: string | undefined;
}

/**
 * When a shipment arrives, or has arrived. An estimate is shown as a window that is wider the farther it is ahead: an hour
 * until six hours ahead, three hours until two days ahead, then a day.
 */
export function arrivalOf({ view, messages, clock }: PageContext): Arrival {
  const { headline, lead } = messages;
  const { tracking, shipment, proof } = view;
  const { status } = tracking;
  if (status === 'cancelled' || status === 'lost')
    return { headline: headline[status], isLate: false, note: undefined };
  if (status === 'delivered' || status === 'returned') {
    const at = proof?.delivered_at ?? entryOf(tracking.timeline, status)?.timestamp;
    const textWith = (format: typeof timeText): string =>
      headline[status](at ? format(new Date(at), clock) : '').trim();
    return { headline: textWith(timeText), printed: textWith(fullText), isLate: false, note: undefined };
  }
  const planned = shipment?.delivery_window && {
    start: new Date(shipment.delivery_window.start),
    end: new Date(shipment.delivery_window.end),
  };
  const plannedText = planned && rangeText(planned.start, planned.end, clock);
  if (tracking.eta === null) {
    const isLate = planned !== undefined && planned.end < clock.now;
    if (!plannedText) return { headline: headline.unknown, isLate, note: undefined };
    return isLate
      ? { headline: headline.overdue(plannedText), isLate, note: lead.overdue }
      : { headline: headline.planned(plannedText), isLate, note: undefined };
  }
  const eta = new Date(tracking.eta);
  const { text, end } = estimate(eta, clock);
  if (end < clock.now) return { headline: headline.overdue(text), isLate: true, note: lead.overdue };
  const isLate = planned !== undefined && eta > planned.end;
  return { headline: headline.arrives(text), isLate, note: isLate && plannedText ? lead.late(plannedText) : undefined };
}

/** The window of an estimated time, and when it is over. */
export function estimate(eta: Date, clock: Clock): { text: string; end: Date } {
  const ahead = eta.getTime() - clock.now.getTime();
  if (ahead > 48 * hour) return { text: dayText(eta, clock), end: eta };
  const isNear = ahead <= 6 * hour;
  const step = isNear ? 30 * minute : hour;
  const start = Math.floor((eta.getTime() - (isNear ? 15 * minute : hour)) / step) * step;
  const end = start + (isNear ? hour : 3 * hour);
  return { text: rangeText(new Date(start), new Date(end), clock), end: new Date(end) };
}
