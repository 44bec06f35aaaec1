import { dayLength } from '@waybill/contract/duration';
import { LRUCache } from 'lru-cache';

/** Formats times as the people at a place read them. */
export interface Clock {
  locale: string;
  now: Date;
  /** IANA time zone. */
  zone: string;
  /** Whether times have the name of the zone. Those that a clock shows twice always have it. */
  isNamed?: boolean;
  /** Marks the name of the zone, which some readers need not see, in a text. */
  markZone?: (name: string) => string;
}

const options = {
  date: { dateStyle: 'short' },
  day: { weekday: 'short', month: 'short', day: 'numeric' },
  farDay: { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' },
  time: { timeStyle: 'short' }, // as in `full`: with `hour`, some languages mix 6:44 and 06:44
  zone: { timeZoneName: 'short' },
  wall: { dateStyle: 'short', timeStyle: 'medium' },
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

/** A date or a time in one piece: no line breaks inside it. */
const whole = (text: string): string => text.replace(/[ \u2009]/g, '\u00a0');

/** The minutes by which clocks are set back. */
const setBack = [30, 60];

/** Whether the clocks of a zone show a time twice, because they are set back after the first or before the second one. */
function isTwice(date: Date, zone: string): boolean {
  const wall = formatOf('wall', { locale: 'en', zone });
  const shown = wall.format(date);
  return setBack.some((minutes) =>
    [-minutes, minutes].some((shift) => wall.format(date.getTime() + shift * 60_000) === shown),
  );
}

/** The abbreviation of the zone at a time, or its offset, such as "PST" or "GMT-8". */
const zoneName = (date: Date, clock: Clock): string =>
  formatOf('zone', clock)
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** A text of some times with the name of their zone, if it must have one. */
function zoned(text: string, dates: Date[], clock: Clock): string {
  const isAmbiguous = dates.some((date) => isTwice(date, clock.zone));
  const last = dates.at(-1);
  if (!last || !(clock.isNamed || isAmbiguous)) return text;
  const name = `\u00a0${zoneName(last, clock)}`;
  return text + (clock.markZone && !isAmbiguous ? clock.markZone(name) : name);
}

const clockText = (date: Date, clock: Clock): string =>
  zoned(whole(formatOf('time', clock).format(date)), [date], clock);

/** The number of days since 1970 on the calendar of a time zone. */
export const dayNumber = (date: Date, zone: string): number =>
  Date.parse(formatOf('date', { locale: 'en-CA', zone }).format(date)) / dayLength;

/** Such as "today" or "Tue, Nov 24", with the year if it is another one. */
export function dayText(date: Date, clock: Clock): string {
  const { locale, now, zone } = clock;
  const days = dayNumber(date, zone) - dayNumber(now, zone);
  if (Math.abs(days) <= 1) return relativeFormats.memo(locale).format(days, 'day');
  return whole(formatOf(Math.abs(days) > 180 ? 'farDay' : 'day', clock).format(date));
}

/** Such as "today, 2:58 PM". */
export const timeText = (date: Date, clock: Clock): string => `${dayText(date, clock)}, ${clockText(date, clock)}`;

/** Such as "2:58 PM" for a time of today, and with the day for another one. */
export const shortText = (date: Date, clock: Clock): string =>
  dayNumber(date, clock.zone) === dayNumber(clock.now, clock.zone) ? clockText(date, clock) : timeText(date, clock);

/** Such as "today, 2:30 – 3:30 PM" or "Tue, Nov 24, 8:00 PM – Wed, Nov 25, 2:00 AM". */
export function rangeText(start: Date, end: Date, clock: Clock): string {
  const isOneDay = dayNumber(start, clock.zone) === dayNumber(end, clock.zone);
  const isOneZone = zoneName(start, clock) === zoneName(end, clock);
  if (!isOneDay || !isOneZone) {
    const first = timeText(start, isOneZone ? { ...clock, isNamed: false } : clock);
    return `${first}\u00a0– ${isOneDay ? clockText(end, clock) : timeText(end, clock)}`;
  }
  // A line breaks after the dash, and must not begin with the space.
  const range = whole(formatOf('time', clock).formatRange(start, end)).replace('–\u00a0', '– ');
  return `${dayText(start, clock)}, ${zoned(range, [start, end], clock)}`;
}

/** Such as "Nov 23, 2026, 2:58 PM", for a receipt. */
export const fullText = (date: Date, clock: Clock): string =>
  zoned(whole(formatOf('full', clock).format(date)), [date], clock);

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
