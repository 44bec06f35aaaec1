import { createKey, revokeKey } from '@waybill/server/auth/administration';
import { expect } from 'vitest';
import { get, problemOf } from '../fixtures/http.ts';
import { allScopes, test } from '../fixtures/test.ts';

// contract-coverage sends every operation a request without a key, and one with every scope but its own.
test('a missing, invalid, expired or revoked key returns 401', async ({ service, account }) => {
  const [prefix, keyId, secret = ''] = account.key.split('_');
  const flipped = (secret.startsWith('A') ? 'B' : 'A') + secret.slice(1);
  const make = (expiresAt: Date | null) =>
    createKey(service.db, account.id, { name: 'test', scopes: allScopes, expiresAt });
  const [expired, revoked] = [await make(new Date()), await make(null)];
  await revokeKey(service.db, account.id, revoked.key_id);
  const invalid = [`${prefix}_${keyId}_${flipped}`, `${prefix}_unknownkeyid_${secret}`, expired.key, revoked.key];
  for (const key of ['', 'invalid', ...invalid]) {
    const response = await get(service, { key }, '/shipments');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await problemOf(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
  }
});
