/** Formats times as the people at a place read them. */
export interface Clock {
  locale: string;
  now: Date;
  /** IANA time zone. */
  zone: string;
}

const dayLength = 24 * 60 * 60 * 1000;

/** The number of days since 1970 on the calendar of the clock's place. */
function dayNumber(date: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(date);
  return Date.parse(parts) / dayLength;
}

/** Such as "today" or "Tue, Nov 24", with the year if it is another one. */
export function dayText(date: Date, { locale, now, zone }: Clock): string {
  const days = dayNumber(date, zone) - dayNumber(now, zone);
  if (Math.abs(days) <= 1) return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
  const isFar = Math.abs(days) > 180;
  const format = { timeZone: zone, weekday: 'short', month: 'short', day: 'numeric' } as const;
  return new Intl.DateTimeFormat(locale, { ...format, ...(isFar && { year: 'numeric' }) }).format(date);
}

const timeFormat = ({ locale, zone }: Clock): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, { timeZone: zone, hour: 'numeric', minute: '2-digit' });

/** Such as "today, 2:58 PM". */
export const timeText = (date: Date, clock: Clock): string =>
  `${dayText(date, clock)}, ${timeFormat(clock).format(date)}`;

/** Such as "2:58 PM" for a time of today, and with the day for another one. */
export const shortText = (date: Date, clock: Clock): string =>
  dayNumber(date, clock.zone) === dayNumber(clock.now, clock.zone)
    ? timeFormat(clock).format(date)
    : timeText(date, clock);

/** Such as "today, 2:30 – 3:30 PM" or "Tue, Nov 24, 8:00 PM – Wed, Nov 25, 2:00 AM". */
export function rangeText(start: Date, end: Date, clock: Clock): string {
  if (dayNumber(start, clock.zone) !== dayNumber(end, clock.zone))
    return `${timeText(start, clock)} – ${timeText(end, clock)}`;
  return `${dayText(start, clock)}, ${timeFormat(clock).formatRange(start, end)}`;
}

/** Such as "Nov 23, 2026, 2:58 PM", for a receipt. */
export const fullText = (date: Date, { locale, zone }: Clock): string =>
  new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }).format(date);

/** Whether a time zone has the name, as `?zone=` of a browser. */
export function isZone(name: unknown): name is string {
  if (typeof name !== 'string' || name.length > 64) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
