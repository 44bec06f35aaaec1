import { expect } from 'vitest';
import { get, problemOf } from '../../fixtures/requests/send.ts';
import { test } from '../../fixtures/test.ts';

test.for<[what: string, query: string, ...pointers: string[]]>([
  ['a surrogate', 'reference=%ED%A0%80', '/reference'],
  ['an overlong slash', 'reference=%c0%af', '/reference'],
  ['no hexadecimal digits', 'reference=%zz', '/reference'],
  ['an escape that is cut off', 'reference=a%', '/reference'],
  ['two parameters', 'reference=%ff&limit=1&cursor=%fe', '/reference', '/cursor'],
  ['the second of two values', 'reference=a&reference=%ff', '/reference'],
  ['a value after a question mark', 'limit=1?&reference=%ff', '/reference'],
])('listShipments names the parameter with %s', async ([, query, ...pointers], { service, account }) => {
  const error = { in: 'query', code: 'invalid_format', detail: 'must be percent-encoded UTF-8' };
  const { status, code, errors } = await problemOf(await get(service, account, `/shipments?${query}`));
  expect([status, code, errors]).toEqual([400, 'invalid_request', pointers.map((pointer) => ({ ...error, pointer }))]);
});

test('listShipments returns 400 for a parameter whose name is not UTF-8', async ({ service, account }) => {
  const problem = await problemOf(await get(service, account, '/shipments?%ff=1'));
  expect(problem.errors).toMatchObject([{ in: 'query', code: 'unknown_field' }]);
});

test.for([
  ['%ED%A0%80', '%ED%A0%80'],
  ['FRT-2026-000001%c0%80', 'FRT-2026-000001%c0%80'],
  ['%zz', '%25zz'],
  ['%', '%25'],
  ['[|]', '%5B%7C%5D'],
  ["a!$&'()*+,;=:@-._~", "a!$&'()*+,;=:@-._~"],
] as const)(
  'getTracking returns 404 for the tracking number %s, with the path as a URI reference (RFC 3986)',
  async ([segment, encoded], { service, account }) => {
    const response = await get(service, account, `/tracking/${segment}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found', instance: `/v1/tracking/${encoded}` });
  },
);

test('a problem has at most 16,384 characters of the path, and only whole escapes', async ({ service, account }) => {
  const response = await get(service, account, `/tracking/a${'|'.repeat(8000)}`);
  expect(await response.json()).toMatchObject({ instance: `/v1/tracking/a${'%7C'.repeat(5456)}` });
});
