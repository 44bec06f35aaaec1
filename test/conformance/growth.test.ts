import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { changesBetween } from '@waybill/tools/release/changes';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOperations } from '../fixtures/contract/contract.ts';
import { isLong, randomSeed } from '../fixtures/long-form.ts';
import { clients } from './clients.ts';
import { eventTypes, type Growth, growths, knownPart, readable } from './growth.ts';
import { operationOf } from './proxy.ts';

// 500 changes in the long form.
const [changes, runs] = [20, isLong ? 25 : 1];
const sampled = fc.sample(growths(changes), { numRuns: runs, seed: randomSeed() });

test(`the gate calls ${changes * runs} random changes compatible`, async () => {
  for (const { document } of sampled) {
    const found = await changesBetween(contract as never, document as never);
    expect(found.filter(({ isBreaking }) => isBreaking)).toEqual([]);
    expect(found.length).toBeGreaterThanOrEqual(changes / 2);
  }
});

for (const [name, { start, unavailable, hasTypes }] of Object.entries(clients)) {
  const title = `the ${name} client reads ${changes * runs} growths of the contract`;
  test.skipIf(unavailable)(`${title}${unavailable ? ` (skipped: ${unavailable})` : ''}`, async () => {
    await using client = await start();
    for (const { responses } of sampled) {
      await using server = await serve(responses);
      await client.ask({ do: 'connect', url: `${server.url}/v1`, key: 'wbk_any' });
      for (const { id, schema } of readable) {
        const { path, body } = requestOf(id);
        const { result, types, error } = await client.ask({ do: 'call', operation: id, path, query: {}, body });
        expect([id, error]).toEqual([id, undefined]);
        expect(knownPart(schema, result as never)).toEqual(knownPart(schema, responses[id] as never));
        if (id === 'listEvents' && hasTypes) expect(types).toEqual(eventTypes(responses));
      }
    }
  });
}

/** A request with the examples of the contract. */
function requestOf(id: string) {
  const operation = contractOperations.find((each) => each.id === id);
  const ofPath = operation?.parameters.filter((parameter) => parameter.in === 'path') ?? [];
  const path = Object.fromEntries(ofPath.map(({ name, example }) => [name, String(example)]));
  return { path, body: operation?.body };
}

/** A service of the grown contract. */
async function serve(responses: Growth['responses']) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(responses[operationOf(request)]));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
