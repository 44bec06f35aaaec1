/** What is wrong with the URL of a Redis, as a clause; undefined when it is valid. */
export function redisUrlError(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const { protocol, hostname, pathname, search, hash } = new URL(text);
  if (!['redis:', 'rediss:'].includes(protocol)) return 'must begin with redis:// or rediss://';
  if (hostname === '') return 'must name a host';
  if (!/^\/?\d*$/.test(pathname)) return 'must have the number of a database as its path, or no path';
  // They would override the timeouts of the service.
  if (search || hash) return 'must not have a query or a fragment';
  return undefined;
}
