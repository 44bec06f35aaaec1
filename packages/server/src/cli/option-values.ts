import { milliseconds } from '@waybill/contract/duration';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { InvalidArgumentError } from 'commander';

/** Parses an option such as `PT24H`. @returns milliseconds */
export function parseDuration(text: string): number {
  try {
    return milliseconds(text);
  } catch {
    throw new InvalidArgumentError('Give a duration in hours, minutes and seconds, such as PT24H.');
  }
}

/** Parses a time such as `2030-01-01T00:00:00Z`. */
export function parseTime(text: string): Date {
  const time = dateOf(text);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('Give a time, such as 2030-01-01T00:00:00Z.');
  return time;
}

export function parseFutureTime(text: string): Date {
  const time = parseTime(text);
  if (time <= new Date()) throw new InvalidArgumentError('Give a time in the future, such as 2030-01-01T00:00:00Z.');
  return time;
}

/** Parses a positive whole number. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('Give a positive whole number, such as 1000000.');
}

const maxNameLength = 200;

/** Parses the name of an account. Spaces around it are removed. */
export function parseName(text: string): string {
  const name = text.trim();
  if (name.length > 0 && name.length <= maxNameLength && !/\p{Cc}/u.test(name)) return name;
  throw new InvalidArgumentError(`Give a name of 1 to ${maxNameLength} printable characters.`);
}
