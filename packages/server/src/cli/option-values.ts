import { dayLength, milliseconds } from '@waybill/contract/duration';
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

const maxAccessDays = 365; // the contract says so

/** Parses the time at which an access expires. */
export function parseAccessExpiry(text: string): Date {
  const time = parseFutureTime(text);
  if (time.getTime() <= Date.now() + maxAccessDays * dayLength) return time;
  throw new InvalidArgumentError(`Give a time at most ${maxAccessDays} days ahead.`);
}

/** A link of the board is in the hands of people, who do not notice that it is still valid. */
export const maxBoardDays = 90;

/** Parses the days for which a link of the board is valid. */
export function parseBoardDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= maxBoardDays) return days;
  throw new InvalidArgumentError(`Give a number of days from 1 to ${maxBoardDays}.`);
}

/** Parses a positive whole number. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('Give a positive whole number, such as 1000000.');
}

/** Makes the function that parses a name. Spaces around it are removed. */
const nameParser =
  (maxLength: number) =>
  (text: string): string => {
    const name = text.trim();
    if (name.length > 0 && name.length <= maxLength && !/\p{Cc}/u.test(name)) return name;
    throw new InvalidArgumentError(`Give a name of 1 to ${maxLength} printable characters.`);
  };

/** Parses the name of an account. */
export const parseName: (text: string) => string = nameParser(200);

/** Parses the name of an access, whose length the contract limits. */
export const parseAccessName: (text: string) => string = nameParser(100);
