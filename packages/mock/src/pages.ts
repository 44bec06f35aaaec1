import { createHash } from 'node:crypto';
import { defaultPageSize } from '@waybill/contract/limits';
import { Refusal } from './responses.ts';

export interface Page<Entry> {
  data: Entry[];
  has_more: boolean;
  next_cursor: string | null;
}

interface PageRequest {
  limit: number | undefined;
  cursor: string | undefined;
  /** What the cursor belongs to. */
  filters: unknown;
  /** The largest page. */
  pageSize: number;
}

/** The beginning of every cursor of the mock. */
const mark = Buffer.from('mock');
const fingerprintLength = 6;

/**
 * Makes a page of entries. Another cursor than the mock's own, such as that of an example, is the end of the first page,
 * so that every pagination ends.
 * @throws {Refusal} cursor_mismatch when the cursor was created with other filters
 */
export function pageOf<Entry>(
  entries: Entry[],
  keyOf: (entry: Entry) => string,
  { limit = defaultPageSize, cursor, filters, pageSize }: PageRequest,
): Page<Entry> {
  const size = Math.min(limit, pageSize);
  const fingerprint = createHash('sha256').update(JSON.stringify(filters)).digest().subarray(0, fingerprintLength);
  const prefix = Buffer.concat([mark, fingerprint]);
  const start = cursor === undefined ? 0 : startAfter(Buffer.from(cursor, 'base64url'));
  const data = entries.slice(start, start + size);
  const last = start + size < entries.length ? data.at(-1) : undefined;
  const end = last && Buffer.concat([prefix, Buffer.from(keyOf(last))]).toString('base64url');
  return { data, has_more: end !== undefined, next_cursor: end ?? null };

  function startAfter(bytes: Buffer): number {
    if (!bytes.subarray(0, mark.length).equals(mark)) return size;
    if (!bytes.subarray(0, prefix.length).equals(prefix)) {
      throw new Refusal('cursor_mismatch', 'The cursor was created with other filters.');
    }
    const key = bytes.subarray(prefix.length).toString();
    const index = entries.findIndex((entry) => keyOf(entry) === key);
    return index < 0 ? entries.length : index + 1;
  }
}
