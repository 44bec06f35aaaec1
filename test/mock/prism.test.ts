import { expect } from 'vitest';
import { operationOf } from '../fixtures/contract/contract.ts';
import { prismRequestViolations, prismViolations, startProxyCommand } from '../fixtures/programs/prism.ts';
import { send } from '../fixtures/requests/send.ts';
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

test('the validators of Prism report requests and responses that break the contract', () => {
  const [create, list] = [operationOf('createShipment'), operationOf('listShipments')];
  const { body } = create;
  expect(prismRequestViolations(create, { body })).toEqual([]);
  const invalid = { body: { ...shipmentRequest(), type: 'by air' } };
  for (const sent of [invalid, { body, headers: { 'Idempotency-Key': 'k'.repeat(300) } }])
    expect(prismRequestViolations(create, sent)).not.toEqual([]);
  const headers = new Headers({ 'content-type': 'application/json' });
  expect(prismViolations(list, { status: 200, headers, body: { data: 'none' } })).not.toEqual([]);
  expect(prismViolations(list, { status: 418, headers, body: {} })).not.toEqual([]);
});
