import { activeStatuses } from '@waybill/contract/statuses';
import { dayNumber } from '../../text/times.ts';
import { punctualityOf } from './punctuality.ts';
import { type Row, reachedAt } from './rows.ts';

/** Days that the figures cover. */
export const figureDays = 30;

export interface Figures {
  /** For each day with a delivery that had a delivery window, oldest first. `day` is the number of days since 1970. */
  onTime: { day: number; onTime: number; late: number }[];
  /** For each status that was left: how long shipments had it, in milliseconds. */
  dwell: { status: string; median: number; longest: number; count: number }[];
  /** The most frequent code first. */
  exceptions: { code: string; count: number; open: number }[];
}

/**
 * Counts what has happened to shipments. The feed determines each figure: the deliveries and the statuses by the timeline of
 * `tracking.status_reached`, `shipment.cancelled` and `proof_of_delivery.submitted`, the windows by `shipment.created` and
 * `shipment.updated`, the exceptions by `tracking.exception_raised` and `tracking.exception_resolved`.
 * @param zone IANA time zone of the days
 */
export function figuresOf(rows: Row[], zone: string): Figures {
  return { onTime: onTimeOf(rows, zone), dwell: dwellOf(rows), exceptions: exceptionsOf(rows) };
}

function onTimeOf(rows: Row[], zone: string): Figures['onTime'] {
  const days = new Map<number, { onTime: number; late: number }>();
  for (const row of rows) {
    const delivered = reachedAt(row, 'delivered');
    if (delivered === undefined || !row.shipment.delivery_window) continue;
    const day = dayNumber(new Date(delivered), zone);
    const counts = days.get(day) ?? { onTime: 0, late: 0 };
    counts[punctualityOf(row, delivered).kind === 'late' ? 'late' : 'onTime']++;
    days.set(day, counts);
  }
  return [...days].map(([day, counts]) => ({ day, ...counts })).sort((a, b) => a.day - b.day);
}

function dwellOf(rows: Row[]): Figures['dwell'] {
  const times = new Map<string, number[]>();
  for (const { tracking } of rows) {
    const timeline = tracking.timeline.filter(({ voided_at }) => !voided_at);
    timeline.forEach(({ status, timestamp }, index) => {
      const next = timeline[index + 1];
      if (!next) return;
      // An event may be a few minutes before the previous one.
      const time = Math.max(0, Date.parse(next.timestamp) - Date.parse(timestamp));
      const known = times.get(status as string);
      if (known) known.push(time);
      else times.set(status as string, [time]);
    });
  }
  return activeStatuses.flatMap((status) => {
    const sorted = (times.get(status) ?? []).sort((a, b) => a - b);
    return sorted.length > 0
      ? { status, median: medianOf(sorted), longest: sorted.at(-1) ?? 0, count: sorted.length }
      : [];
  });
}

/** @param sorted at least one number */
function medianOf(sorted: number[]): number {
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

function exceptionsOf(rows: Row[]): Figures['exceptions'] {
  const codes = new Map<string, { count: number; open: number }>();
  for (const { code, resolved_at } of rows.flatMap(({ tracking }) => tracking.exceptions ?? [])) {
    const counts = codes.get(code as string) ?? { count: 0, open: 0 };
    counts.count++;
    if (resolved_at === undefined) counts.open++;
    codes.set(code as string, counts);
  }
  return [...codes]
    .map(([code, counts]) => ({ code, ...counts }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}

/** The part of the deliveries that was on time, from 0 to 1; undefined without any. */
export function onTimeShare(onTime: Figures['onTime']): number | undefined {
  const sum = (name: 'onTime' | 'late'): number => onTime.reduce((total, day) => total + day[name], 0);
  const total = sum('onTime') + sum('late');
  return total > 0 ? sum('onTime') / total : undefined;
}
