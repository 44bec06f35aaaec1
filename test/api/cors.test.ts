import { expect } from 'vitest';
import { startService } from '../../fixtures/service.ts';
import { newAccount, test } from '../../fixtures/test.ts';

const page = 'https://app.example.com';

test('with CORS_ORIGINS, the API permits these origins and no others, also in errors', async () => {
  await using service = await startService({ CORS_ORIGINS: `https://other.example.com, ${page}` });
  const { key } = await newAccount(service);
  const allowed = async (origin: string, path: string, headers = {}) => {
    const response = await fetch(service.baseUrl + path, { headers: { origin, ...headers } });
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
    expect(response.headers.get('vary')).toMatch(/\borigin\b/i);
    return [response.status, response.headers.get('access-control-allow-origin')];
  };
  const authorization = `Bearer ${key}`;
  expect(await allowed(page, '/shipments', { authorization })).toEqual([200, page]);
  expect(await allowed(page, '/shipments')).toEqual([401, page]);
  expect(await allowed(page, '/nowhere')).toEqual([404, page]);
  expect(await allowed(page, '/shipments/ship_01kjpx8p02fabr24pa3eywnyp2/cancel')).toEqual([405, page]);
  for (const origin of ['https://app.example.com.evil.example', 'http://app.example.com', 'null']) {
    expect(await allowed(origin, '/shipments', { authorization })).toEqual([200, null]);
  }
});

test('a preflight request needs no key, is not counted and lists methods and headers', async () => {
  await using service = await startService({ CORS_ORIGINS: page, RATE_LIMIT: '1' });
  const preflight = (origin: string, path: string) =>
    fetch(service.baseUrl + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
  for (let n = 0; n < 3; n++) {
    const { status, headers } = await preflight(page, '/shipments');
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(page);
    expect(headers.get('access-control-allow-methods')?.split(', ').sort()).toEqual([
      'DELETE',
      'GET',
      'HEAD',
      'PATCH',
      'POST',
      'PUT',
    ]);
    const names = headers.get('access-control-allow-headers')?.toLowerCase();
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'if-none-match', 'x-request-id']) {
      expect(names).toContain(name);
    }
  }
  expect((await preflight('https://evil.example', '/shipments')).headers.has('access-control-allow-origin')).toBe(
    false,
  );
  expect((await preflight('https://evil.example', '/files/token')).headers.get('access-control-allow-origin')).toBe(
    '*',
  );
});

test('without CORS_ORIGINS, only signed URLs, the contract and the docs are open to other origins', async ({
  service,
}) => {
  const allowOrigin = async (url: string) =>
    (await fetch(url, { headers: { origin: page } })).headers.get('access-control-allow-origin');
  expect(await allowOrigin(`${service.baseUrl}/shipments`)).toBe(null);
  expect(await allowOrigin(`${service.baseUrl}/files/token`)).toBe('*');
  expect(await allowOrigin(`${service.baseUrl}/uploads/token`)).toBe('*');
  expect(await allowOrigin(`${service.origin}/openapi.json`)).toBe('*');
});

test('an OPTIONS request that is not a preflight returns a problem', async ({ service }) => {
  for (const [path, status] of [
    ['/shipments', 405],
    ['/nowhere', 404],
  ] as const) {
    const response = await fetch(service.baseUrl + path, { method: 'OPTIONS', body: 'a=1' });
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
  }
});
