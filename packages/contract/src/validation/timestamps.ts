/**
 * Reads a date or a timestamp (RFC 3339) of a request, in milliseconds. Further digits are cut off: V8 misreads fractions
 * of more than nine digits that begin with zeros.
 */
export const dateOf = (timestamp: string): Date =>
  new Date(timestamp.length > longest ? timestamp.replace(/(\.\d{3})\d+/, '$1') : timestamp);

/** The end of a range, exclusive: the midnight after a date, or the date-time itself. */
export function endOf(dateOrTime: string): Date {
  const end = dateOf(dateOrTime);
  if (dateOrTime.length === 'YYYY-MM-DD'.length) end.setUTCDate(end.getUTCDate() + 1);
  return end;
}

const longest = '2026-01-01T00:00:00.000Z'.length;
