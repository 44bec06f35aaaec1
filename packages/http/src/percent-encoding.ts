/**
 * The names of query parameters whose values are not percent-encoded UTF-8 (RFC 3986, section 2.1). Fastify does not
 * decode such values. A name that is not UTF-8 needs no check: no parameter has it.
 */
export function undecodableParameters(url: string): string[] {
  const start = url.search(/[?#]/); // the router accepts both as the start of a query
  const query = start < 0 ? '' : url.slice(start + 1);
  if (!query.includes('%')) return [];
  const names = query.split('&').flatMap((pair) => {
    const [name = '', value = ''] = split(pair);
    return decoded(value) === undefined ? (decoded(name) ?? []) : [];
  });
  return [...new Set(names)];
}

function split(pair: string): [string, string] {
  const end = pair.indexOf('=');
  return end < 0 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)];
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
