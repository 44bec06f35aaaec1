/**
 * Reads a date or a timestamp (RFC 3339) of a request, in milliseconds. Further digits are cut off: V8 misreads fractions
 * of more than nine digits that begin with zeros.
 */
export const dateOf = (timestamp: string): Date =>
  new Date(timestamp.length > longest ? timestamp.replace(/(\.\d{3})\d+/, '$1') : timestamp);

const longest = '2026-01-01T00:00:00.000Z'.length;
