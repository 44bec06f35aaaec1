import type { Scope } from '@waybill/contract/scopes';
import { createKey, revokeKey } from '@waybill/server/auth/administration';
import { describe, expect } from 'vitest';
import { type OperationId, operationOf } from '../fixtures/contract.ts';
import { problemOf, send } from '../fixtures/http.ts';
import { allScopes, test } from '../fixtures/test.ts';

/** Written by hand: the service reads its scopes from the contract. */
const scopes: Record<OperationId, Scope | null> = {
  listShipments: 'shipments:read',
  createShipment: 'shipments:write',
  getShipment: 'shipments:read',
  cancelShipment: 'shipments:write',
  getTracking: 'tracking:read',
  recordTrackingEvent: 'tracking:write',
  listPositions: 'tracking:read',
  recordPositions: 'tracking:write',
  getProofOfDelivery: 'tracking:read',
  submitProofOfDelivery: 'tracking:write',
  createProofUpload: 'tracking:write',
  listEvents: 'events:read',
  streamEvents: 'events:read',
  listWebhookEndpoints: 'webhooks:write',
  createWebhookEndpoint: 'webhooks:write',
  getWebhookEndpoint: 'webhooks:write',
  updateWebhookEndpoint: 'webhooks:write',
  deleteWebhookEndpoint: 'webhooks:write',
  rotateWebhookSecret: 'webhooks:write',
  listWebhookDeliveries: 'webhooks:write',
  resendWebhookDelivery: 'webhooks:write',
  replayWebhookEvents: 'webhooks:write',
  sendTestWebhook: 'webhooks:write',
  putProofFile: null,
  getProofFile: null,
};
const operations = (Object.keys(scopes) as OperationId[]).map((id) => ({ ...operationOf(id), scope: scopes[id] }));

describe.each(operations.filter(({ scope }) => scope !== null))('$id', (operation) => {
  const { scope } = operation;

  test(`${operation.id} returns 401 for a missing, invalid, expired or revoked key, before validation`, async ({
    service,
    account,
  }) => {
    const [prefix, keyId, secret = ''] = account.key.split('_');
    const flipped = (secret.startsWith('A') ? 'B' : 'A') + secret.slice(1);
    const make = (expiresAt: Date | null) =>
      createKey(service.db, account.id, { name: 'test', scopes: allScopes, expiresAt });
    const [expired, revoked] = [await make(new Date()), await make(null)];
    await revokeKey(service.db, account.id, revoked.key_id);
    const invalid = [`${prefix}_${keyId}_${flipped}`, `${prefix}_unknownkeyid_${secret}`, expired.key, revoked.key];
    for (const key of [undefined, '', 'invalid', ...invalid]) {
      const response = await send(service.baseUrl, operation, { key, body: { no: 1 } });
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await problemOf(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
    }
  });

  test(`${operation.id} returns 403 for a key with every scope but ${scope}, before validation`, async ({
    service,
    account,
  }) => {
    const key = await account.keyWith(allScopes.filter((other) => other !== scope));
    const response = await send(service.baseUrl, operation, { key, body: { no: 1 } });
    expect(await problemOf(response)).toMatchObject({ status: 403, code: 'insufficient_scope' });
  });
});

test.for(operations)('$id accepts a key with only the scope $scope', async (operation, { service, account }) => {
  const { scope } = operation;
  const response = await send(service.baseUrl, operation, { key: scope ? await account.keyWith([scope]) : undefined });
  expect([401, 403]).not.toContain(response.status);
  expect(response.status).toBeLessThan(500);
});
