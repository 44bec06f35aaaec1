import { hash } from 'node:crypto';
import { Problem } from './problems.ts';

const fingerprintLength = 6;

/** The filters that a cursor belongs to, as a few bytes. */
const fingerprint = (filters: Record<string, unknown>): Buffer =>
  hash('sha256', JSON.stringify(Object.entries(filters).sort()), 'buffer').subarray(0, fingerprintLength);

/** Where a page ended and the filters it was made with, in an opaque text. */
export const makeCursor = (end: Buffer, filters: Record<string, unknown>): string =>
  Buffer.concat([fingerprint(filters), end]).toString('base64url');

/**
 * Makes a page of rows, of which one more was read than fits: that one tells whether the list goes on.
 * @param cursorAfter the cursor of the page after a row
 */
export function pageOf<Row, Entry>(
  rows: Row[],
  limit: number,
  entryOf: (row: Row) => Entry,
  cursorAfter: (last: Row) => string,
): { data: Entry[]; has_more: boolean; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    data: page.map(entryOf),
    has_more: last !== undefined,
    next_cursor: last ? cursorAfter(last) : null,
  };
}

/**
 * Where the page before ended.
 * @param length bytes that the end of a page has in this list
 * @throws {Problem} cursor_mismatch when it is not a cursor or was made with other filters
 */
export function readCursor(cursor: string, filters: Record<string, unknown>, length: number): Buffer {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== fingerprintLength + length) throw new Problem('cursor_mismatch', 'This is not a cursor.');
  if (!bytes.subarray(0, fingerprintLength).equals(fingerprint(filters))) {
    throw new Problem('cursor_mismatch', 'The cursor was made with other filters.');
  }
  return bytes.subarray(fingerprintLength);
}
