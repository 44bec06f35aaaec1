import { createClient } from '@waybill/client';
import { expect } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { contractOperations, operationOf } from '../fixtures/contract.ts';
import { receive, send } from '../fixtures/http.ts';
import { png } from '../fixtures/images.ts';
import { startCommand } from '../fixtures/prism.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { type Environment, environmentOf } from '../fuzz/environment.ts';
import { everyStep, play } from '../fuzz/steps.ts';
import { test as base } from '../mock/targets.ts';

const targets = ['the service', 'the mock'] as const;

/** Each behind the command `prism proxy --errors`, which returns an error for a response that breaks the contract. */
const test = base.extend<{ $file: { environments: Record<(typeof targets)[number], Environment> } }>({
  environments: [
    async ({ service, mock }, use) => {
      const [toService, toMock] = await Promise.all([
        startCommand('proxy', service, service.baseUrl, '--errors'),
        startCommand('proxy', service, mock.url, '--errors'),
      ]);
      await using stack = new AsyncDisposableStack();
      stack.use(toService);
      stack.use(toMock);
      const client = createClient({ baseUrl: mock.url, apiKey: 'wbk_mock', maxRetries: 0 });
      await use({
        'the service': environmentOf({ baseUrl: toService.url }, await newAccount(service)),
        'the mock': environmentOf({ baseUrl: toMock.url }, { client, key: 'wbk_mock' }),
      });
    },
    { scope: 'file' },
  ],
});

// Prism forwards no body that is not JSON.
const forwarded = contractOperations.filter(({ id }) => id !== 'putProofFile');
const cases = targets.flatMap((target) => forwarded.map((operation) => ({ target, operation, ...operation })));

test.for(cases)(
  'prism proxy --errors reports nothing of valid requests of $id to $target',
  async ({ target, operation }, { environments }) => {
    // fuzz checks all values at limits, and contract-coverage checks all responses with Prism's validator.
    const seed = Math.floor(Math.random() * 1e9);
    const steps = everyStep(operation.id, seed).filter(({ kind }) => kind === 'at limits');
    await play(environments[target], steps[seed % 3] ?? expect.unreachable());
  },
);

test('prism proxy --errors refuses invalid requests', async ({ environments }) => {
  const { service, account } = environments['the service'];
  for (const [operation, invalid] of [
    ['createShipment', { body: { ...shipmentRequest(), type: 'by air' } }],
    ['listShipments', { query: 'limit=0' }],
  ] as const) {
    const { status } = await send(service.baseUrl, operationOf(operation), { key: account.key, ...invalid });
    expect([operation, status]).toEqual([operation, 422]);
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
