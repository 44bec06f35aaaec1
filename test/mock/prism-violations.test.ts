import { expect, test } from 'vitest';
import { operationOf } from '../fixtures/contract.ts';
import { prismRequestViolations, prismViolations } from '../fixtures/prism.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';

test.for([
  ['createShipment', { body: { ...shipmentRequest(), type: 'by air' } }],
  ['createShipment', { headers: { 'Idempotency-Key': 'k'.repeat(300) } }],
  ['listShipments', { query: 'limit=0' }],
  ['getTracking', { path: { tracking_number: '142' } }],
] as const)('prismRequestViolations reports that %s with %j breaks the contract', ([id, invalid]) => {
  const operation = operationOf(id);
  expect(prismRequestViolations(operation, { body: operation.body })).toEqual([]);
  expect(prismRequestViolations(operation, { body: operation.body, ...invalid })).not.toEqual([]);
});

test('prismViolations reports a response that breaks the contract', () => {
  const operation = operationOf('listShipments');
  const headers = new Headers({ 'content-type': 'application/json' });
  expect(prismViolations(operation, { status: 200, headers, body: { data: 'none' } })).not.toEqual([]);
  expect(prismViolations(operation, { status: 418, headers, body: {} })).not.toEqual([]);
});
