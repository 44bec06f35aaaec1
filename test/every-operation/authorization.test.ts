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
