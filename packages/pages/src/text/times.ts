import { dayLength } from '@waybill/contract/duration';
import { LRUCache } from 'lru-cache';

/** Formats times as the people at a place read them. */
export interface Clock {
  locale: string;
  now: Date;
  /** IANA time zone. */
  zone: string;
  /** Whether times have the name of the zone. */
  isNamed?: boolean;
}

const options = {
  date: { dateStyle: 'short' },
  day: { weekday: 'short', month: 'short', day: 'numeric' },
  farDay: { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' },
  time: { timeStyle: 'short' }, // as in `full`: with `hour`, some languages mix 6:44 and 06:44
  namedTime: { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  full: { dateStyle: 'medium', timeStyle: 'short' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

// To make a format takes longer than to render a page with it.
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

function formatOf(kind: keyof typeof options, { locale, zone }: Pick<Clock, 'locale' | 'zone'>): Intl.DateTimeFormat {
  const key = `${kind} ${locale} ${zone}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(locale, { ...options[kind], timeZone: zone });
  formats.set(key, format);
  return format;
}

const relativeFormats = new LRUCache<string, Intl.RelativeTimeFormat>({
  max: 100,
  memoMethod: (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }),
});

const timeFormat = (clock: Clock): Intl.DateTimeFormat => formatOf(clock.isNamed ? 'namedTime' : 'time', clock);

/** The number of days since 1970 on the calendar of a time zone. */
export const dayNumber = (date: Date, zone: string): number =>
  Date.parse(formatOf('date', { locale: 'en-CA', zone }).format(date)) / dayLength;

/** Such as "today" or "Tue, Nov 24", with the year if it is another one. */
export function dayText(date: Date, clock: Clock): string {
  const { locale, now, zone } = clock;
  const days = dayNumber(date, zone) - dayNumber(now, zone);
  if (Math.abs(days) <= 1) return relativeFormats.memo(locale).format(days, 'day');
  return formatOf(Math.abs(days) > 180 ? 'farDay' : 'day', clock).format(date);
}

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
export const fullText = (date: Date, clock: Clock): string => formatOf('full', clock).format(date);

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
