import { expect } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { contractOperations, operationOf } from '../fixtures/contract.ts';
import { receive, send } from '../fixtures/http.ts';
import { png } from '../fixtures/images.ts';
import { startCommand } from '../fixtures/prism.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

// fuzz/ checks the requests and responses of every operation with the validator of this command.
test('prism proxy --errors forwards valid requests and refuses invalid ones', async ({ service, account }) => {
  await using proxy = await startCommand('proxy', service, service.baseUrl, '--errors');
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

test('prism mock returns a valid response for the default request of every operation', async ({ service }) => {
  await using mock = await startCommand('mock', service);
  const found = contractOperations.map(async (operation) => {
    const file = operation.method === 'PUT' ? { type: 'image/png', bytes: png() } : undefined;
    const response = await receive(await send(mock.url, operation, { key: 'wbk_mock', file }));
    return [operation.id, response.status < 300, violations(operation, response)];
  });
  expect(await Promise.all(found)).toEqual(contractOperations.map(({ id }) => [id, true, []]));
});
