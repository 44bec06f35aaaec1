import { expect } from 'vitest';
import { get } from '../fixtures/requests/send.ts';
import { startService } from '../fixtures/service/service.ts';
import { newAccount, test } from '../fixtures/test.ts';

const page = 'https://app.example.com';
const [allowOrigin, allowHeaders] = ['access-control-allow-origin', 'access-control-allow-headers'];

test('with CORS_ORIGINS, pages of these origins and no others use the API, with preflights that need no key', async () => {
  await using service = await startService({ CORS_ORIGINS: `capacitor://localhost, ${page}`, RATE_LIMIT: '9' });
  const { key } = await newAccount(service);
  const allowed = async (origin: string, path: string, sent = key) => {
    const { status, headers } = await get(service, { key: sent }, path, { origin });
    expect(headers.has('access-control-allow-credentials')).toBe(false);
    expect(headers.get('vary')).toMatch(/\borigin\b/i);
    if (origin === page)
      expect(headers.get('access-control-expose-headers')).toMatch(/^(?=.*ETag)(?=.*RateLimit)(?=.*Sunset)/i);
    return [status, headers.get(allowOrigin)];
  };
  const preflight = (origin: string, path = '/shipments', asked = 'authorization') =>
    fetch(service.baseUrl + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': asked },
    });
  // They are not counted.
  for (let n = 0; n < 12; n++) expect((await preflight(page)).status).toBe(204);
  const { headers } = await preflight(page);
  expect(headers.get(allowOrigin)).toBe(page);
  const methods = headers.get('access-control-allow-methods')?.split(', ').sort();
  expect(methods).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT']);
  for (const name of ['authorization', 'content-type', 'idempotency-key', 'if-none-match', 'x-request-id'])
    expect(headers.get(allowHeaders)?.toLowerCase()).toContain(name);
  // Libraries that trace a page add headers to its requests.
  const traced = 'authorization,baggage,sentry-trace,traceparent,tracestate,x-datadog-trace-id';
  const { headers: more } = await preflight(page, '/shipments', `${traced},a b,<x>`);
  const names = more.get(allowHeaders)?.split(', ');
  expect(names).toEqual(expect.arrayContaining(traced.split(',').slice(1)));
  expect(names?.filter((name) => /[^\w-]/.test(name))).toEqual([]);
  expect((await preflight('https://evil.example')).headers.has(allowOrigin)).toBe(false);
  expect((await preflight('https://evil.example', '/files/token')).headers.get(allowOrigin)).toBe('*');

  for (const origin of [page, 'capacitor://localhost'])
    expect(await allowed(origin, '/shipments')).toEqual([200, origin]);
  expect(await allowed(page, '/shipments', '')).toEqual([401, page]);
  expect(await allowed(page, '/nowhere')).toEqual([404, page]);
  expect(await allowed(page, '/shipments/ship_01kjpx8p02fabr24pa3eywnyp2/cancel')).toEqual([405, page]);
  for (const origin of [`${page}.evil.example`, 'http://app.example.com', 'null'])
    expect(await allowed(origin, '/shipments')).toEqual([200, null]);
});

test('without CORS_ORIGINS, only signed URLs, the contract and the docs are open to other origins', async ({
  service: { baseUrl, origin },
}) => {
  for (const [url, expected] of [
    [`${baseUrl}/shipments`, null],
    [`${baseUrl}/files/token`, '*'],
    [`${baseUrl}/uploads/token`, '*'],
    [`${origin}/openapi.json`, '*'],
  ] as const)
    expect((await fetch(url, { headers: { origin: page } })).headers.get(allowOrigin), url).toBe(expected);
});
