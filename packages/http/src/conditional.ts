import { hash } from 'node:crypto';

/** Makes a strong ETag of a representation (RFC 9110, section 8.8.3): 128 bits of its SHA-256. */
export const etagOf = (representation: string): string =>
  `"${hash('sha256', representation, 'buffer').subarray(0, 16).toString('base64url')}"`;
