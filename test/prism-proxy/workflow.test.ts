import { createClient } from '@waybill/client';
import { expect } from 'vitest';
import { contractOperations } from '../fixtures/contract.ts';
import { prismViolations, startProxy } from '../fixtures/prism.ts';
import { proofFor, shipmentIn } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

test('Prism as a proxy reports no violation during the whole workflow', async ({ service, account }) => {
  await using proxy = await startProxy(service.baseUrl);
  const client = createClient({
    baseUrl: proxy.url,
    apiKey: account.key,
    // Files go to the service itself: Prism cannot carry bodies that are not JSON.
    fetch: (request) => (new URL(request.url).origin === proxy.url ? proxy.fetch(request) : fetch(request)),
  });
  const { id, tracking_number } = await shipmentIn({ client }, 'in_transit');
  const path = { tracking_number };
  await expect(client.getProofOfDelivery({ path })).rejects.toMatchObject({ code: 'not_delivered' });
  const body = await proofFor({ client }, tracking_number);
  await expect(
    client.submitProofOfDelivery({ path, body: { ...body, photos: [body.signature] } }),
  ).rejects.toMatchObject({ code: 'unknown_upload' });
  await client.submitProofOfDelivery({ path, body });
  await expect(client.submitProofOfDelivery({ path, body })).rejects.toMatchObject({ code: 'invalid_transition' });
  await client.getProofOfDelivery({ path });
  await client.getTracking({ path });
  await client.getShipment({ path: { shipment_id: id } });
  await client.listShipments({ query: { limit: 1 } });
  await expect(client.listShipments({ query: { limit: 0 } })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(client.getTracking({ path: { tracking_number: 'FRT-2000-000001' } })).rejects.toMatchObject({
    code: 'not_found',
  });
  const unauthenticated = createClient({ baseUrl: proxy.url, apiKey: 'wbk_none', fetch: proxy.fetch });
  await expect(unauthenticated.listShipments()).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(proxy.seen()).toBeGreaterThanOrEqual(17);
});

test('Prism as a proxy reports a response that breaks the contract', async ({ service, account }) => {
  await using upstream = await startProxy(`${service.origin}/openapi.json?`);
  const headers = { authorization: `Bearer ${account.key}` };
  await expect(upstream.fetch(`${upstream.url}/shipments`, { headers })).rejects.toThrow('breaks the contract');
});

test('prismViolations reports a response that breaks the contract', () => {
  const [operation] = contractOperations;
  if (!operation) throw new Error('The contract has no operations');
  const headers = new Headers({ 'content-type': 'application/json' });
  expect(prismViolations(operation, { status: 200, headers, body: { data: 'none' } })).not.toEqual([]);
  expect(prismViolations(operation, { status: 418, headers, body: {} })).not.toEqual([]);
});
