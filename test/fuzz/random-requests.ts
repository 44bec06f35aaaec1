import fc from 'fast-check';
import { expect } from 'vitest';
import { problemOf } from '../fixtures/http.ts';
import type { Environment, Shipment } from './environment.ts';
import { request } from './send.ts';
import { readState } from './state.ts';

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
const randomRequest = fc.record(
  {
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
  },
  { noNullPrototype: true },
);

/** Sends a random request to a random or real path: it returns no 5xx and changes nothing. */
export async function performRandom(environment: Environment, real: string, shipment: Shipment): Promise<void> {
  const { method, path, query, contentType, bytes, isReal } = environment.draw(randomRequest);
  const url = `${environment.service.baseUrl}${isReal ? real : path}${query}`;
  const response = await request(environment, method, url, {
    ...(contentType !== undefined && { contentType }),
    ...(method !== 'GET' && bytes.length > 0 && { bytes: Uint8Array.from(bytes) }),
  });
  if (response.status >= 400) await problemOf(response);
  else await response.body?.cancel();
  expect(await readState(environment, shipment), 'a refused request changes nothing').toEqual(shipment.seen);
}
