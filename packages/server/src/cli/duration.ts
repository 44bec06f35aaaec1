import { milliseconds } from '@waybill/contract/duration';
import { InvalidArgumentError } from 'commander';

/** Parses an option such as `PT24H`. @returns milliseconds */
export function parseDuration(text: string): number {
  try {
    return milliseconds(text);
  } catch {
    throw new InvalidArgumentError('Give a duration in hours, minutes and seconds, such as PT24H.');
  }
}
