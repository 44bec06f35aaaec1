/** A stored time as responses have it. @param time may be PostgreSQL's JSON text */
export function isoTime(time: Date | string): string {
  // Most sessions have UTC: then the text needs no parsing, which takes ten times as long.
  if (typeof time === 'string' && time.endsWith('+00:00')) {
    if (time.length === '2026-01-01T00:00:00+00:00'.length) return `${time.slice(0, 19)}.000Z`;
    if (time.length === '2026-01-01T00:00:00.000+00:00'.length) return `${time.slice(0, 23)}Z`;
  }
  return new Date(time).toISOString();
}
