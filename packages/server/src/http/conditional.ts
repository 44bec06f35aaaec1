import { hash } from 'node:crypto';

/** Makes a strong ETag of a representation (RFC 9110, section 8.8.3): 128 bits of its SHA-256. */
export const etagOf = (representation: string): string =>
  `"${hash('sha256', representation, 'buffer').subarray(0, 16).toString('base64url')}"`;

/** Whether an `If-None-Match` header contains this ETag or `*`. The comparison is weak (RFC 9110, section 13.1.2). */
export const isMatch = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.trim() === '*' || (ifNoneMatch?.match(/"[^"]*"/g)?.includes(etag) ?? false);
