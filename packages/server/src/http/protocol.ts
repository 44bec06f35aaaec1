import type { IncomingMessage } from 'node:http';

/** Headers with a single value. Of two, Node uses the first or joins them, and a proxy may use the other. */
const singleValued = new Set(['authorization', 'content-type', 'host', 'idempotency-key']);
const validHost = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(:\d*)?$/i;

/** Returns how a request head violates HTTP, as a sentence; undefined when it does not. */
export function protocolError({ headers, httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Send the request with HTTP/1.1.';
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!singleValued.has(name)) continue;
    if (seen.has(name)) return `Send the header ${name} only once.`;
    seen.add(name);
  }
  // A request needs a valid Host (RFC 9112, section 3.2); HTTP/1.0 requests can omit it.
  const isValid = headers.host === undefined ? httpVersion === '1.0' : validHost.test(headers.host);
  return isValid ? undefined : 'Send a valid Host header.';
}
