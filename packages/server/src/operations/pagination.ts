import { hash } from 'node:crypto';
import { Problem } from '@waybill/http/problems';

const fingerprintLength = 6;

/** Hashes the filters that a cursor belongs to. */
const fingerprintOf = (filters: Record<string, unknown>): Buffer =>
  hash('sha256', JSON.stringify(Object.entries(filters).sort()), 'buffer').subarray(0, fingerprintLength);

/** Makes an opaque cursor. @param end the position after the last entry of a page */
export const makeCursor = (end: Buffer, filters: Record<string, unknown>): string =>
  Buffer.concat([fingerprintOf(filters), end]).toString('base64url');

/**
 * Makes a page of rows. The query reads `limit + 1` rows; the extra row shows that there is a next page.
 * @param cursorAfter returns the cursor of the page after a row
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
 * Reads the end of the previous page from a cursor.
 * @param length bytes of an end in this list
 * @throws {Problem} cursor_mismatch when the cursor is malformed or was created with other filters
 */
export function readCursor(cursor: string, filters: Record<string, unknown>, length: number): Buffer {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== fingerprintLength + length) throw new Problem('cursor_mismatch', 'The cursor is not valid.');
  if (!bytes.subarray(0, fingerprintLength).equals(fingerprintOf(filters))) {
    throw new Problem('cursor_mismatch', 'The cursor was created with other filters.');
  }
  return bytes.subarray(fingerprintLength);
}

/** Bytes of a time in a cursor. */
export const timeLength = 8;

export function timeToBytes(time: Date): Buffer {
  const bytes = Buffer.alloc(timeLength);
  bytes.writeBigInt64BE(BigInt(time.getTime()));
  return bytes;
}

/** @throws {Problem} cursor_mismatch when PostgreSQL has no such time */
export function timeFromCursor(bytes: Buffer): Date {
  const time = new Date(Number(bytes.readBigInt64BE()));
  // PostgreSQL has no times before 4714 BC; no position lies outside the years that a timestamp can name.
  if (!(Math.abs(time.getTime()) < 1e14)) throw new Problem('cursor_mismatch', 'The cursor is not valid.');
  return time;
}
