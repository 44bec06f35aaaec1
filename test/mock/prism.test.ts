import { expect } from 'vitest';
import { operationOf } from '../fixtures/contract.ts';
import { send } from '../fixtures/http.ts';
import { prismRequestViolations, prismViolations, startProxyCommand } from '../fixtures/prism.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

// contract/fuzz checks the requests and responses of every operation with the validator of this command.
// mock/behaviour checks its mock.
test('prism proxy --errors forwards valid requests and refuses invalid ones', async ({ service, account }) => {
  await using proxy = await startProxyCommand(service);
  for (const [id, sent, expected] of [
    ['createShipment', { body: shipmentRequest() }, 201],
    ['createShipment', { body: { ...shipmentRequest(), type: 'by air' } }, 422],
    ['listShipments', { query: 'limit=1' }, 200],
    ['listShipments', { query: 'limit=0' }, 422],
  ] as const) {
    const { status } = await send(proxy.url, operationOf(id), { key: account.key, ...sent });
    expect([id, status]).toEqual([id, expected]);
  }
});

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
