import fc from 'fast-check';
import { expect } from 'vitest';
import { problemOf } from '../fixtures/http.ts';
import type { Environment } from './environment.ts';

const oneOf = (words: string) => fc.constantFrom(...words.split(' '));
const segment = fc.oneof(
  oneOf('shipments tracking uploads files pod events cancel %00 % .. __proto__ * ; //'),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text)),
  fc.webFragments(),
);
const query = fc.oneof(
  oneOf('? ?%zz ?&&==& ?a[b]=c&a[]=d ?limit=1&limit ?%00=%ff'),
  fc.webQueryParameters().map((text) => `?${text}`),
);
const json = fc.oneof(
  fc.json(),
  fc.jsonValue().map((value) => JSON.stringify({ reason: value, status: value, positions: value })),
);

/** Requests without regard to the contract. */
const randomRequest = fc.record({
  method: oneOf('GET POST PUT DELETE PATCH OPTIONS'),
  path: fc.array(segment, { maxLength: 5 }).map((segments) => segments.map((one) => `/${one}`).join('')),
  query,
  contentType: fc.oneof(
    oneOf('application/json image/png text/plain ; application/x-www-form-urlencoded'),
    fc.constantFrom('application/json; charset=utf-16', undefined),
  ),
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    json.map((text) => Buffer.from(text)),
  ),
  isReal: fc.boolean(),
});

/** Sends a random request to a random or real path: it returns no 5xx. */
export async function performRandom({ service, account, draw, trace }: Environment, real: string) {
  const { method, path, query, contentType, bytes, isReal } = draw(randomRequest);
  const url = `${service.baseUrl}${isReal ? real : path}${query}`;
  trace.push(`${method} ${url} ${contentType} ${Buffer.from(bytes).toString('latin1')}`);
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${account.key}`,
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
    ...(method !== 'GET' && bytes.length > 0 && { body: Uint8Array.from(bytes) }),
  });
  expect(response.status, 'no server error').toBeLessThan(500);
  if (response.status >= 400) await problemOf(response);
  else await response.body?.cancel();
}
