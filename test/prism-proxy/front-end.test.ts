import { fileURLToPath } from 'node:url';
import { createClient } from '@waybill/client';
import { freePort } from '@waybill/tools/free-port';
import { describe, expect } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { contractOperations } from '../fixtures/contract.ts';
import { receive, send } from '../fixtures/http.ts';
import { png } from '../fixtures/images.ts';
import { startProgram } from '../fixtures/process.ts';
import { proofFor, shipmentIn } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

const prism = new URL('dist/index.js', import.meta.resolve('@stoplight/prism-cli/package.json'));
const contract = fileURLToPath(import.meta.resolve('@waybill/contract/openapi.json'));

/** Starts the command `prism` with the contract. */
async function startPrism(command: 'mock' | 'proxy', ...args: string[]) {
  const port = String(await freePort());
  const program = startProgram(prism, [command, contract, ...args, '--port', port]);
  await program.waitForOutput(/Prism is listening on/);
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}

describe.concurrent('the command prism', () => {
  test('proxy --errors passes every request and response of the workflow', async ({ service, account }) => {
    await using proxy = await startPrism('proxy', service.baseUrl, '--errors');
    const client = createClient({ baseUrl: proxy.url, apiKey: account.key, maxRetries: 0 });
    // Files go to the service itself: their URLs are the service's.
    const { id, tracking_number } = await shipmentIn({ client }, 'in_transit');
    const path = { tracking_number };
    await client.submitProofOfDelivery({ ...path, ...(await proofFor({ client }, tracking_number)) });
    await client.getProofOfDelivery(path);
    await client.getTracking(path);
    await client.listPositions(path);
    await client.getShipment({ shipment_id: id });
    await client.listShipments({ limit: 1 });
    // Prism refuses an invalid request itself.
    const headers = { authorization: `Bearer ${account.key}` };
    expect((await fetch(`${proxy.url}/shipments?limit=0`, { headers })).status).toBe(422);
  });

  test('mock returns a valid response for the default request of every operation', async () => {
    await using mock = await startPrism('mock');
    const found = contractOperations.map(async (operation) => {
      const file = operation.method === 'PUT' ? { type: 'image/png', bytes: png() } : undefined;
      const { headers, ...response } = await receive(await send(mock.url, operation, { key: 'wbk_mock', file }));
      for (const name of [...headers.keys()]) if (name.startsWith('access-control-')) headers.delete(name);
      return [operation.id, response.status < 300, violations(operation, { ...response, headers })];
    });
    expect(await Promise.all(found)).toEqual(contractOperations.map(({ id }) => [id, true, []]));
  });
});
