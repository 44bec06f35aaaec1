import { dayLength, durationText, milliseconds } from '@waybill/contract/duration';
import { linePattern, maxAccessAhead, maxPhoneLength } from '@waybill/contract/limits';
import { dateOf } from '@waybill/contract/validation/timestamps';
import { InvalidArgumentError } from 'commander';

/** Makes the function that parses a duration such as `PT24H`. It returns milliseconds. */
export const durationParser =
  (most: string) =>
  (text: string): number => {
    const duration = /^PT[\dHMS]+$/.test(text) ? milliseconds(text) : Number.NaN;
    if (duration <= milliseconds(most)) return duration;
    throw new InvalidArgumentError(
      `Give a duration in hours, minutes and seconds, such as PT24H, of at most ${durationText(most)}.`,
    );
  };

/** Parses a time such as `2030-01-01T00:00:00Z`. */
export function parseTime(text: string): Date {
  const time = dateOf(text);
  const year = time.getUTCFullYear();
  if (!(year >= 1000 && year < 3000)) throw new InvalidArgumentError('Give a time, such as 2030-01-01T00:00:00Z.');
  return time;
}

export function parseFutureTime(text: string): Date {
  const time = parseTime(text);
  if (time <= new Date()) throw new InvalidArgumentError('Give a time in the future, such as 2030-01-01T00:00:00Z.');
  return time;
}

const maxAccessDays = milliseconds(maxAccessAhead) / dayLength;

/** Parses the time at which an access expires. */
export function parseAccessExpiry(text: string): Date {
  const time = parseFutureTime(text);
  if (time.getTime() <= Date.now() + maxAccessDays * dayLength) return time;
  throw new InvalidArgumentError(`Give a time at most ${maxAccessDays} days ahead.`);
}

/** A link of the board is in the hands of people, who do not notice that it is still valid. */
export const maxBoardDays = 90;

/** Makes the function that parses a whole number from 1. */
export const countParser =
  (most: number) =>
  (text: string): number => {
    const count = Number(text);
    if (Number.isInteger(count) && count >= 1 && count <= most) return count;
    throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
  };

/** Makes the function that parses a line of text. Spaces around it are removed. */
const lineParser =
  (what: string, maxLength: number, pattern = /./) =>
  (text: string): string => {
    const line = text.trim();
    if (line.length <= maxLength && new RegExp(linePattern, 'u').test(line) && pattern.test(line)) return line;
    throw new InvalidArgumentError(`Give a ${what} of 1 to ${maxLength} printable characters.`);
  };

/** Parses a phone number as people write it. */
export const parsePhone: (text: string) => string = lineParser('phone number', maxPhoneLength, /\d/);

/** Parses the name of an account. */
export const parseName: (text: string) => string = lineParser('name', 200);

/** Parses the name of an access or a key, whose length the contract limits. */
export const parseAccessName: (text: string) => string = lineParser('name', 100);
