import type { IncomingMessage } from 'node:http';

/** Headers that have one value. Of two Node takes the first or joins them, and a proxy may take the other. */
const single = new Set(['authorization', 'content-type', 'host', 'idempotency-key']);
const validHost = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(:\d*)?$/i;

/** What is wrong with the head of a request, as far as HTTP itself has rules for it, or undefined. */
export function protocolError({ headers, httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Send the request with HTTP/1.1.';
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!single.has(name)) continue;
    if (seen.has(name)) return `Send the header ${name} only once.`;
    seen.add(name);
  }
  // A request has a valid Host (RFC 9112, section 3.2); one of HTTP/1.0 may have none.
  const isValid = headers.host === undefined ? httpVersion === '1.0' : validHost.test(headers.host);
  return isValid ? undefined : 'Send a valid Host header.';
}
