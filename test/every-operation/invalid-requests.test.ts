import { problems } from '@waybill/contract/problems';
import { expect } from 'vitest';
import { contractOperations, operationOf, pathOf } from '../fixtures/contract.ts';
import { get, problemOf, send } from '../fixtures/http.ts';
import { ready } from '../fixtures/requests.ts';
import { test } from '../fixtures/test.ts';

test.for(contractOperations)('$id returns 405 with Allow for every other method', async (operation, { service }) => {
  const own = contractOperations.filter(({ path }) => path === operation.path).map(({ method }) => method);
  if (own.includes('GET')) own.push('HEAD');
  for (const method of ['DELETE', 'PATCH', 'PUT', 'POST', 'GET'].filter((other) => !own.includes(other))) {
    const response = await fetch(service.baseUrl + pathOf(operation), { method });
    expect(response.headers.get('allow')?.split(', ').sort()).toEqual(own.sort());
    expect((await problemOf(response)).code).toBe('method_not_allowed');
  }
});

test.for(['createShipment', 'putProofFile'] as const)(
  '%s returns 415 with Accept-Encoding for a Content-Encoding other than identity',
  async (id, { service, account }) => {
    const { path, body, file } = await ready(id, account);
    const sendWith = (coding: string) =>
      send(service.baseUrl, operationOf(id), {
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
