import { fileURLToPath } from 'node:url';
import { createClient } from '@waybill/client';
import { freePort } from '@waybill/tools/free-port';
import { expect } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { contractOperations, operationOf } from '../fixtures/contract.ts';
import { receive, send } from '../fixtures/http.ts';
import { png } from '../fixtures/images.ts';
import { startProxy } from '../fixtures/prism.ts';
import { startProgram } from '../fixtures/process.ts';
import { proofFor, shipmentIn, shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

const prism = new URL('dist/index.js', import.meta.resolve('@stoplight/prism-cli/package.json'));
const contract = fileURLToPath(import.meta.resolve('@waybill/contract/openapi.json'));

test('Prism as a proxy with --errors passes the requests and responses of the workflow, and refuses invalid ones', async ({
  service,
  account,
}) => {
  await using proxy = await startProxy(service.baseUrl, { errors: true });
  const client = createClient({ baseUrl: proxy.url, apiKey: account.key, maxRetries: 0, fetch: proxy.fetch });
  // Files go to the service itself: their URLs are the service's.
  const { id, tracking_number } = await shipmentIn({ client }, 'in_transit');
  const path = { tracking_number };
  await client.submitProofOfDelivery({ ...path, ...(await proofFor({ client }, tracking_number)) });
  await client.getProofOfDelivery(path);
  await client.getTracking(path);
  await client.listPositions(path);
  await client.getShipment({ shipment_id: id });
  await client.listShipments({ limit: 1 });
  for (const [operation, invalid] of [
    ['createShipment', { body: { ...shipmentRequest(), type: 'by air' } }],
    ['listShipments', { query: 'limit=0' }],
  ] as const) {
    const { status } = await send(proxy.url, operationOf(operation), { key: account.key, ...invalid });
    expect([operation, status]).toEqual([operation, 422]);
  }
});

test('the command `prism mock` returns a valid response for the default request of every operation', async () => {
  const port = String(await freePort());
  await using program = startProgram(prism, ['mock', contract, '--port', port]);
  await program.waitForOutput(/Prism is listening on/);
  const found = contractOperations.map(async (operation) => {
    const file = operation.method === 'PUT' ? { type: 'image/png', bytes: png() } : undefined;
    const sent = { key: 'wbk_mock', file };
    const { headers, ...response } = await receive(await send(`http://127.0.0.1:${port}`, operation, sent));
    for (const name of [...headers.keys()]) if (name.startsWith('access-control-')) headers.delete(name);
    return [operation.id, response.status < 300, violations(operation, { ...response, headers })];
  });
  expect(await Promise.all(found)).toEqual(contractOperations.map(({ id }) => [id, true, []]));
});
