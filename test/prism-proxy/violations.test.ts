import { expect } from 'vitest';
import { operationOf } from '../fixtures/contract.ts';
import { prismViolations, startProxy } from '../fixtures/prism.ts';
import { test } from '../fixtures/test.ts';

test('Prism as a proxy reports a response that breaks the contract', async ({ service, account }) => {
  await using proxy = await startProxy(`${service.origin}/openapi.json?`);
  const headers = { authorization: `Bearer ${account.key}` };
  const response = await fetch(`${proxy.url}/shipments`, { headers });
  const reported: { location: string[] }[] = JSON.parse(response.headers.get('sl-violations') ?? '[]');
  expect(reported.map(({ location }) => location[0])).toContain('response');
});

test('prismViolations reports a response that breaks the contract', () => {
  const operation = operationOf('listShipments');
  const headers = new Headers({ 'content-type': 'application/json' });
  expect(prismViolations(operation, { status: 200, headers, body: { data: 'none' } })).not.toEqual([]);
  expect(prismViolations(operation, { status: 418, headers, body: {} })).not.toEqual([]);
});
