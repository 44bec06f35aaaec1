/** Milliseconds of a day in UTC. */
export const dayLength: number = 24 * 60 * 60 * 1000;

/**
 * Milliseconds of an ISO 8601 duration in hours, minutes and seconds, such as `PT5M`.
 * @throws when it is of another form
 */
export function milliseconds(duration: string): number {
  const match = /^PT(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(duration);
  if (!match) throw new Error(`${duration} is not a duration in hours, minutes and seconds`);
  const [, hours = '0', minutes = '0', seconds = '0'] = match;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

/** A duration in words, such as `5 minutes` for `PT5M`. */
export function durationText(duration: string): string {
  const parts = [...duration.matchAll(/(\d+)([HMS])/g)].map(([, count, unit = '']) => {
    const name = { H: 'hour', M: 'minute', S: 'second' }[unit];
    return `${count} ${name}${count === '1' ? '' : 's'}`;
  });
  return parts.join(' and ');
}

/** The durations of the contract, which the check of each time needs. */
const lengths = new Map<string, number>();

function lengthOf(duration: string): number {
  const length = lengths.get(duration) ?? milliseconds(duration);
  lengths.set(duration, length);
  return length;
}

/** What is wrong with a time that is more than a duration ahead of now; undefined when it is not. */
export const aheadOf = (now: number, time: number, duration: string): string | undefined =>
  time > now + lengthOf(duration) ? `must not be more than ${durationText(duration)} ahead of now` : undefined;
