/** Members of request bodies that lie in the future, and the time of day in their example. */
const names = ['start', 'end', 'eta'];
const planned = new RegExp(`(["']?)(${names.join('|')})\\1: (["'])\\d{4}-\\d\\d-\\d\\d(T[^"']+)\\3`, 'g');

/** The time of day of such a member; undefined for another one. */
export const plannedTime = (name: string, value: unknown): string | undefined =>
  names.includes(name) && typeof value === 'string' ? value.slice('2026-03-03'.length) : undefined;

/**
 * Moves windows and arrival times of an example to tomorrow, because a reader who sends it later would plan for the past.
 * @param text an object in JSON or TypeScript
 * @param write makes the value from a time of day such as `T16:00:00.000Z`
 */
export const planTomorrow = (text: string, write: (time: string) => string): string =>
  text.replaceAll(planned, (_, quote, name, __, time) => `${quote}${name}${quote}: ${write(time)}`);

/** The date of tomorrow, UTC, as in samples. */
export const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
