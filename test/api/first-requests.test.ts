import { afterAll, beforeAll, expect } from 'vitest';
import { contractOperations } from '../fixtures/contract/contract.ts';
import { send } from '../fixtures/requests/send.ts';
import { ready } from '../fixtures/requests/valid-requests.ts';
import { test } from '../fixtures/test.ts';

/** The stacks of the places that compiled code from text, as Ajv and fast-json-stringify do. */
const compilations: string[] = [];
const { Function: original } = globalThis;

beforeAll(() => {
  globalThis.Function = new Proxy(original, {
    construct(target, texts, newTarget) {
      compilations.push(new Error('Compiled').stack ?? '');
      return Reflect.construct(target, texts, newTarget);
    },
  });
});
afterAll(() => {
  globalThis.Function = original;
});

// It may be in a transaction that others wait for. The first response with an event took seconds of CPU time.
test('the first request of an operation compiles nothing: all is compiled when the service starts', async ({
  service,
  account,
}) => {
  expect(compilations).not.toEqual([]);
  compilations.length = 0;
  for (const operation of contractOperations) {
    const request = await ready(operation.id, account);
    const response = await send(service.baseUrl, operation, { key: account.key, ...request });
    expect(response.ok, operation.id).toBe(true);
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) await response.body?.cancel();
    else await response.arrayBuffer();
    expect(compilations, operation.id).toEqual([]);
  }
});
