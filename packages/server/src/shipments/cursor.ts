import { hash } from 'node:crypto';
import { Problem } from '../problems.ts';

const fingerprintLength = 6;

/** The filters that a cursor belongs to, as a few bytes. */
const fingerprint = (filters: Record<string, unknown>): Buffer =>
  hash('sha256', JSON.stringify(Object.entries(filters).sort()), 'buffer').subarray(0, fingerprintLength);

/** The id that a page ended with, and the filters it was made with, in an opaque text. */
export const makeCursor = (uuid: string, filters: Record<string, unknown>): string =>
  Buffer.concat([fingerprint(filters), Buffer.from(uuid.replaceAll('-', ''), 'hex')]).toString('base64url');

/** @throws {Problem} cursor_mismatch when it is not a cursor or was made with other filters */
export function readCursor(cursor: string, filters: Record<string, unknown>): string {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== fingerprintLength + 16) throw new Problem('cursor_mismatch', 'This is not a cursor.');
  if (!bytes.subarray(0, fingerprintLength).equals(fingerprint(filters))) {
    throw new Problem('cursor_mismatch', 'The cursor was made with other filters.');
  }
  return bytes.toString('hex', fingerprintLength);
}
