import { createClient } from '@waybill/client';
import { createKey, revokeKey } from '@waybill/server/auth/administration';
import { expect } from 'vitest';
import { contractOperations, pathOf } from '../../fixtures/contract.ts';
import { get, problemOf } from '../../fixtures/http.ts';
import { newShipment } from '../../fixtures/shipments.ts';
import { allScopes, newAccount, test } from '../../fixtures/test.ts';

test.for(contractOperations)('$id returns 405 with Allow for every other method', async (operation, { service }) => {
  const own = contractOperations.filter(({ path }) => path === operation.path).map(({ method }) => method);
  if (own.includes('GET')) own.push('HEAD');
  for (const method of ['DELETE', 'PATCH', 'PUT', 'POST', 'GET'].filter((other) => !own.includes(other))) {
    const response = await fetch(service.baseUrl + pathOf(operation), { method });
    expect(response.headers.get('allow')?.split(', ').sort()).toEqual(own.sort());
    expect((await problemOf(response)).code).toBe('method_not_allowed');
  }
});

test('a Content-Encoding of a request without a body has no meaning', async ({ service, account }) => {
  const response = await get(service, account, '/shipments', { 'content-encoding': 'gzip' });
  expect(response.status).toBe(200);
});

test('a path value of more than 500 characters returns 404', async ({ service: { baseUrl } }) => {
  const statuses = [500, 501].map(async (length) => (await fetch(`${baseUrl}/shipments/${'x'.repeat(length)}`)).status);
  expect(await Promise.all(statuses)).toEqual([401, 404]);
});

// contract-coverage sends every operation a request without a key, and one with every scope but its own.
test('a missing, invalid, expired or revoked key returns 401', async ({ service, account }) => {
  const [prefix, keyId, secret = ''] = account.key.split('_');
  const flipped = (secret.startsWith('A') ? 'B' : 'A') + secret.slice(1);
  const make = (expiresAt: Date | null) =>
    createKey(service.db, account.id, { name: 'test', scopes: allScopes, expiresAt });
  const [expired, revoked] = [await make(new Date()), await make(null)];
  await revokeKey(service.db, account.id, revoked.key_id);
  const [, expiredId] = expired.key.split('_');
  const unknown = 'The API key is unknown or revoked.';
  const malformed = expect.stringContaining('malformed');
  for (const [key, detail] of [
    ['', malformed],
    ['invalid', malformed],
    [`${prefix}_${keyId}_${flipped}`, unknown],
    [`${prefix}_unknownkeyid_${secret}`, unknown],
    [revoked.key, unknown],
    [expired.key, 'The API key has expired.'],
    [`${prefix}_${expiredId}_${flipped}`, unknown], // without the secret nobody learns that a key has expired
  ] as const) {
    const response = await get(service, { key }, '/shipments');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await problemOf(response)).toMatchObject({ status: 401, code: 'unauthenticated', detail });
  }
});

test('webhooks:write permits reading webhook endpoints, webhooks:read only that', async ({ service, account }) => {
  const client = async (scope: 'webhooks:read' | 'webhooks:write') =>
    createClient({ baseUrl: service.baseUrl, apiKey: await account.keyWith([scope]) });
  const [reader, writer] = [await client('webhooks:read'), await client('webhooks:write')];
  const { id: webhook_endpoint_id } = await writer.createWebhookEndpoint({ url: 'http://127.0.0.1:9/hook' });
  for (const { listWebhookEndpoints } of [reader, writer]) {
    expect((await listWebhookEndpoints()).data.map(({ id }) => id)).toEqual([webhook_endpoint_id]);
  }
  await expect(reader.deleteWebhookEndpoint({ webhook_endpoint_id })).rejects.toMatchObject({
    detail: 'The key lacks the scope webhooks:write.',
  });
});

// contract-coverage sends every operation the path values of another account.
test('listShipments returns only the account’s own shipments', async ({ service, account }) => {
  const own = await newShipment(account);
  await newShipment(await newAccount(service));
  const { data } = await account.client.listShipments();
  expect(data.map(({ id }) => id)).toEqual([own.id]);
});
