import { expect } from 'vitest';
import { operationOf } from '../fixtures/contract.ts';
import { prismViolations, startProxy } from '../fixtures/prism.ts';
import { test } from '../fixtures/test.ts';

test('Prism as a proxy reports a response that breaks the contract', async ({ service, account }) => {
  await using upstream = await startProxy(`${service.origin}/openapi.json?`);
  const headers = { authorization: `Bearer ${account.key}` };
  await expect(upstream.fetch(`${upstream.url}/shipments`, { headers })).rejects.toThrow('breaks the contract');
});

test('prismViolations reports a response that breaks the contract', () => {
  const operation = operationOf('listShipments');
  const headers = new Headers({ 'content-type': 'application/json' });
  expect(prismViolations(operation, { status: 200, headers, body: { data: 'none' } })).not.toEqual([]);
  expect(prismViolations(operation, { status: 418, headers, body: {} })).not.toEqual([]);
});
