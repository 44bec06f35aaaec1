/** A request head that costs the service as much as possible. */
export interface CostlyHead {
  name: string;
  query?: string;
  headers?: Record<string, string>;
  /** Stands for every parameter of the path. */
  segment?: string;
}

/** Characters that fit into a head of 16 KiB beside what every request has. */
const room = 15_000;

const repeated = (text: string): string => text.repeat(Math.floor(room / text.length));
const different = (item: (index: number) => string): string =>
  Array.from({ length: 1500 }, (_, index) => item(index)).join('&');

export const costlyHeads: CostlyHead[] = [
  { name: 'a query of separators', query: repeated('&') },
  { name: 'one parameter many times', query: repeated('&a=') },
  { name: 'limit many times', query: repeated('&limit=1') },
  { name: 'many unknown parameters', query: different((index) => `k${index}=1`) },
  { name: 'a limit of many digits', query: `limit=${repeated('1')}` },
  { name: 'a reference of broken escapes', query: `reference=${repeated('%ff')}` },
  { name: 'a reference of plus signs', query: `reference=${repeated('+')}` },
  { name: 'a date of many digits', query: `from_date=2026-03-02T08:00:00.${repeated('0')}` },
  { name: 'a cursor of many characters', query: `cursor=${repeated('A')}!` },
  { name: 'many ETags', headers: { 'if-none-match': repeated('"a",') } },
  { name: 'an ETag list of spaces', headers: { 'if-none-match': `"a"${repeated(' ')}x` } },
  { name: 'ETags without an end', headers: { 'if-none-match': repeated('"') } },
  { name: 'a long Idempotency-Key', headers: { 'idempotency-key': repeated('k') } },
  { name: 'a long X-Request-Id', headers: { 'x-request-id': repeated('r') } },
  { name: 'a long X-Forwarded-For', headers: { 'x-forwarded-for': repeated('1.2.3.4,') } },
  { name: 'a long Accept', headers: { accept: repeated('*/*;q=0.1,') } },
  { name: 'a Content-Type of parameters', headers: { 'content-type': `application/json${repeated(';a=b')}` } },
  { name: 'a path of escapes', segment: repeated('%2e') },
  { name: 'a long path', segment: repeated('A') },
  { name: 'a path of slashes', segment: repeated('/') },
];
