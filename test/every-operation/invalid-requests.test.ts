import { problems } from '@waybill/contract/problems';
import { expect } from 'vitest';
import { contractOperations, pathOf } from '../fixtures/contract.ts';
import { get, problemOf } from '../fixtures/http.ts';
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
