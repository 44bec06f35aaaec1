import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { startReceiver } from '@waybill/tools/lab/network/receiver';
import { changesBetween } from '@waybill/tools/release/changes';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OperationId, operationOf } from '../fixtures/contract/contract.ts';
import { isLong, randomSeed } from '../fixtures/long-form.ts';
import { skippedBecause } from '../fixtures/programs/installed.ts';
import { clients } from './clients.ts';
import { eventTypes, type Growth, growths, knownPart, readable } from './growth.ts';
import { operationIn } from './proxy.ts';

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
  test.skipIf(unavailable)(title + skippedBecause(unavailable), async () => {
    await using client = await start();
    for (const { responses } of sampled) {
      await using server = await serve(responses);
      await client.ask({ do: 'connect', url: `${server.url}v1`, key: 'wbk_any' });
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
function requestOf(id: OperationId) {
  const { parameters, body } = operationOf(id);
  const ofPath = parameters.filter((parameter) => parameter.in === 'path');
  return { path: Object.fromEntries(ofPath.map(({ name, example }) => [name, String(example)])), body };
}

/** A service of the grown contract. */
const serve = (responses: Growth['responses']) =>
  startReceiver((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(responses[operationIn(request)]));
  });
