import fc from 'fast-check';
import { expect } from 'vitest';
import { problemOf } from '../harness/http.ts';
import { count } from './tally.ts';
import { look, type Shipment, type World } from './world.ts';

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.json().map((text) => Uint8Array.from(Buffer.from(text))),
  fc
    .jsonValue()
    .map((value) => Uint8Array.from(Buffer.from(JSON.stringify({ reason: value, status: value, positions: value })))),
);
const segment = fc.oneof(
  fc.constantFrom(
    'shipments',
    'tracking',
    'uploads',
    'files',
    'pod',
    'events',
    'cancel',
    '%00',
    '%',
    '..',
    '__proto__',
    '*',
    ';',
    '//',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text)),
  fc.webFragments(),
);
const query = fc.oneof(
  fc.constant(''),
  fc.webQueryParameters().map((text) => `?${text}`),
  fc.constantFrom('?%zz', '?&&==&', '?a[b]=c&a[]=d', '?limit=1&limit', '?%00=%ff'),
);

/** Requests that nobody means. */
export const nonsense = fc.record(
  {
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
    path: fc.array(segment, { maxLength: 5 }).map((segments) => segments.map((one) => `/${one}`).join('')),
    query,
    type: fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'image/png',
      'text/plain',
      '',
      ';',
      'application/x-www-form-urlencoded',
    ),
    bytes,
  },
  { noNullPrototype: true },
);

/** Sends nonsense, at random paths or at a real one. It may be refused in any way but as a fault of ours, and changes nothing. */
export async function performNonsense(world: World, path: string, shipment: Shipment): Promise<void> {
  const made = world.draw(nonsense);
  const { method, type } = made;
  const url = `${world.service.baseUrl}${world.draw(fc.boolean()) ? path : made.path}${made.query}`;
  const hasBody = method !== 'GET' && made.bytes.length > 0;
  const headers = { authorization: `Bearer ${world.account.key}`, ...(type && { 'content-type': type }) };
  const response = await fetch(url, { method, headers, ...(hasBody && { body: Uint8Array.from(made.bytes) }) });
  world.trace.push(
    `${method} ${url} ${type} ${hasBody ? Buffer.from(made.bytes).toString('hex') : ''}\n    → ${response.status}`,
  );
  expect(response.status, 'no fault of ours').toBeLessThan(500);
  if (response.status >= 400) await problemOf(response);
  else await response.body?.cancel();
  count(world.tally, 'nonsense', undefined, response.status);
  expect(await look(world, shipment), 'nothing was changed').toEqual(shipment.seen);
}
