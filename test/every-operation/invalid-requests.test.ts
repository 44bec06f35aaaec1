import { problems } from '@waybill/contract/problems';
import { describe, expect } from 'vitest';
import { contractOperations, pathOf } from '../fixtures/contract.ts';
import { get, problemOf, send } from '../fixtures/http.ts';
import { png } from '../fixtures/images.ts';
import { ready } from '../fixtures/requests.ts';
import { test } from '../fixtures/test.ts';

describe.each(contractOperations)('$id', (operation) => {
  test(`${operation.id} returns 400 unknown_field for an unknown query parameter`, async ({ service, account }) => {
    const headers = { 'x-request-id': 'mine.1' };
    const file = operation.body === undefined ? { type: 'image/png', bytes: png() } : undefined;
    const sent = { key: account.key, query: 'surprise=1', headers, file };
    const response = await send(service.baseUrl, operation, sent);
    expect(response.headers.get('x-request-id')).toBe('mine.1');
    const problem = await problemOf(response);
    expect(problem.code).toBe('invalid_request');
    expect(problem.errors?.[0]).toMatchObject({ in: 'query', pointer: '/surprise', code: 'unknown_field' });
  });

  test(`${operation.id} returns 405 with Allow for every other method`, async ({ service }) => {
    const own = contractOperations.filter(({ path }) => path === operation.path).map(({ method }) => method);
    if (own.includes('GET')) own.push('HEAD');
    for (const method of ['DELETE', 'PATCH', 'PUT', 'POST', 'GET'].filter((other) => !own.includes(other))) {
      const response = await fetch(service.baseUrl + pathOf(operation), { method });
      expect(response.headers.get('allow')?.split(', ').sort()).toEqual(own.sort());
      expect((await problemOf(response)).code).toBe('method_not_allowed');
    }
  });
});

describe.each(contractOperations.filter(({ body }) => body !== undefined))('$id', (operation) => {
  test(`${operation.id} returns 400, 413 or 415 for a body that is not a known JSON object`, async ({
    service,
    account,
  }) => {
    const post = async (body: string, type = 'application/json') => {
      const file = { type, bytes: Uint8Array.from(Buffer.from(body, 'latin1')) };
      return problemOf(await send(service.baseUrl, operation, { key: account.key, file }));
    };
    expect(await post('{"a":1,')).toMatchObject({ code: 'malformed_request' });
    expect(await post('{"a":"\xff"}')).toMatchObject({ code: 'malformed_request' });
    expect(await post('')).toMatchObject({ code: 'invalid_request', errors: [{ in: 'body', code: 'required' }] });
    for (const body of ['null', '[]', '1', '"text"', 'true']) {
      expect(await post(body)).toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: '', code: 'wrong_type' }],
      });
    }
    expect(await post('hello', 'text/plain')).toMatchObject({ code: 'unsupported_media_type' });
    expect(await post('a=1', 'application/x-www-form-urlencoded')).toMatchObject({ status: 415 });
    expect(await post(JSON.stringify(operation.body), 'image/png')).toMatchObject({ status: 415 });
    expect(await post(JSON.stringify({ notes: 'x'.repeat(2_000_000) }))).toMatchObject({ code: 'payload_too_large' });
    const unknown = await post(JSON.stringify({ ...(operation.body as object), surprise: 1, __proto__x: 2 }));
    expect(unknown.errors?.map(({ pointer }) => pointer)).toEqual(['/surprise', '/__proto__x']);
  });

  if (!operation.bodySchema?.required) return;
  test(`${operation.id} returns 400 that names every missing required field`, async ({ service, account }) => {
    const { errors = [] } = await problemOf(await send(service.baseUrl, operation, { key: account.key, body: {} }));
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(error).toMatchObject({ in: 'body', code: 'required', detail: 'is required' });
  });
});

test.for(contractOperations.filter(({ contentTypes }) => contentTypes.length > 0))(
  '$id returns 415 with Accept-Encoding for a Content-Encoding other than identity',
  async (operation, { service, account }) => {
    const { path, body, file } = await ready(operation.id, account);
    const sendWith = (coding: string) =>
      send(service.baseUrl, operation, {
        ...{ key: account.key, path, body, file },
        headers: { 'content-encoding': coding },
      });
    for (const coding of ['gzip', 'BR', 'identity, deflate', 'aes128gcm', '*']) {
      const response = await sendWith(coding);
      expect([coding, response.headers.get('accept-encoding')]).toEqual([coding, 'identity']);
      expect(await problemOf(response)).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    }
    expect((await sendWith('Identity')).ok).toBe(true);
  },
);

test('a Content-Encoding of a request without a body has no meaning', async ({ service, account }) => {
  const response = await get(service, account, '/shipments', { 'content-encoding': 'gzip' });
  expect(response.status).toBe(200);
});

test('an unknown path returns 404 as a problem', async ({ service }) => {
  for (const path of ['/', '/v1', '/v1/nothing', '/v2/shipments', '/v1/shipments/a/b', '/v1//shipments']) {
    const response = await fetch(service.origin + path, { method: 'POST', body: 'x' });
    expect(await problemOf(response)).toMatchObject({ code: 'not_found', status: problems.not_found.status });
  }
});

test('a path value of more than 500 characters returns 404', async ({ service: { baseUrl } }) => {
  const statuses = [500, 501].map(async (length) => (await fetch(`${baseUrl}/shipments/${'x'.repeat(length)}`)).status);
  expect(await Promise.all(statuses)).toEqual([401, 404]);
});
