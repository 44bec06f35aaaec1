import { createKey, revokeKey } from '@waybill/server/auth/administration';
import { expect } from 'vitest';
import { contractOperations, pathOf } from '../../fixtures/contract/contract.ts';
import { get, problemOf } from '../../fixtures/requests/send.ts';
import { allScopes, test } from '../../fixtures/test.ts';

test('every path returns 405 with Allow for every other method', async ({ service, account }) => {
  const headers = { authorization: `Bearer ${account.key}` };
  for (const [path, own] of Map.groupBy(contractOperations, (operation) => operation.path)) {
    const allowed = own.map(({ method }) => method);
    if (allowed.includes('GET')) allowed.push('HEAD');
    const url = service.baseUrl + pathOf(own[0] ?? expect.unreachable());
    if (own.some(({ method, scope }) => method === 'GET' && scope))
      expect((await fetch(url, { method: 'HEAD' })).status, path).toBe(401);
    for (const method of ['DELETE', 'PATCH', 'PUT', 'POST', 'GET'].filter((other) => !allowed.includes(other))) {
      const response = await fetch(url, { method, headers });
      expect(response.headers.get('allow')?.split(', ').sort(), path).toEqual(allowed.sort());
      expect(response.headers.has('ratelimit'), path).toBe(false);
      expect((await problemOf(response)).code).toBe('method_not_allowed');
    }
  }
});

// contract/coverage sends every operation a request without a key, and one with every scope but its own.
test('a missing, invalid, expired or revoked key returns 401', async ({ service, account }) => {
  const [prefix, keyId, secret = ''] = account.key.split('_');
  const flipped = (secret.startsWith('A') ? 'B' : 'A') + secret.slice(1);
  const make = (expiresAt: Date | null) =>
    createKey(service.db, account.id, { name: 'test', scopes: allScopes, expiresAt });
  const [expired, revoked] = [await make(new Date()), await make(null)];
  await revokeKey(service.db, account.id, revoked.key_id);
  const unknown = 'The API key is unknown or revoked.';
  const malformed = expect.stringContaining('malformed');
  for (const [key, detail] of [
    ['', malformed],
    ['invalid', malformed],
    [`${prefix}_${keyId}_${flipped}`, unknown],
    [`${prefix}_unknownkeyid_${secret}`, unknown],
    [revoked.key, unknown],
    [expired.key, 'The API key has expired.'],
    [`${prefix}_${expired.key_id}_${flipped}`, unknown], // without the secret nobody learns that a key has expired
  ] as const) {
    const response = await get(service, { key }, '/shipments');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await problemOf(response)).toMatchObject({ status: 401, code: 'unauthenticated', detail });
  }
});
