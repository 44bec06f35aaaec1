import { createKey, disableAccount, listKeys, revokeKey, rotateKey } from '@waybill/server/auth/administration';
import type { Tables } from '@waybill/server/database/tables';
import type { Updateable } from 'kysely';
import { expect } from 'vitest';
import { clock } from '../fixtures/clock.ts';
import { get } from '../fixtures/requests/send.ts';
import { type Service, startService } from '../fixtures/service/service.ts';
import { allScopes, newAccount, test } from '../fixtures/test.ts';

const statusWith = async (service: Service, key: string): Promise<number> =>
  (await get(service, { key }, '/shipments')).status;
const idOf = (key: string): string => key.split('_')[1] ?? '';

test('a cached key ends at its expiry, and at most 5 seconds after revocation, rotation or disabling', async ({
  service,
}) => {
  const [revoked, rotated, disabled] = [
    await newAccount(service),
    await newAccount(service),
    await newAccount(service),
  ];
  const time = clock();
  const expiring = { name: 'short', scopes: allScopes, expiresAt: new Date(Date.now() + 2_000) };
  const { key: expired } = await createKey(service.db, rotated.id, expiring);
  const keys = [revoked.key, rotated.key, disabled.key];
  for (const key of [expired, ...keys]) expect(await statusWith(service, key)).toBe(200);
  await revokeKey(service.db, revoked.id, idOf(revoked.key));
  const { key: successor } = await rotateKey(service.db, rotated.id, idOf(rotated.key), 0);
  await disableAccount(service.db, disabled.id);
  expect(await statusWith(service, successor)).toBe(200);
  time.forward(2_000);
  expect(await statusWith(service, expired)).toBe(401);
  time.forward(3_001);
  for (const key of keys) expect(await statusWith(service, key)).toBe(401);
  expect(await statusWith(service, successor)).toBe(200);
  for (const [owner, key] of [
    [rotated, revoked.key], // a key of another account
    [rotated, expired],
    [revoked, revoked.key],
  ] as const)
    await expect(rotateKey(service.db, owner.id, idOf(key), 0)).rejects.toThrow('has no active key');
});

test('last_used_at changes only for a valid key, and at most once a minute', async ({ service: { db }, account }) => {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
  const never = { last_used_at: null };
  // Closing a service waits for its queries: what has not changed by then does not change any more.
  const other = await startService();
  const use = async (name: string, row: Updateable<Tables['api_keys']>): Promise<void> => {
    const { key, key_id } = await createKey(db, account.id, { name, scopes: allScopes });
    await db.updateTable('api_keys').set(row).where('key_id', '=', key_id).execute();
    const wrong = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
    await statusWith(other, name === 'wrong secret' ? wrong : key);
  };
  const recently = ago(30);
  await use('wrong secret', never);
  await use('expired', { ...never, expires_at: ago(1) });
  await use('revoked', { ...never, revoked_at: ago(1) });
  await use('used 30 seconds ago', { last_used_at: recently });
  await use('used 61 seconds ago', { last_used_at: ago(61) });
  await use('never used', never);
  await other[Symbol.asyncDispose]();
  const listed = await listKeys(db, account.id);
  expect(Object.fromEntries(listed.map(({ name, last_used_at }) => [name, last_used_at]))).toEqual({
    test: null,
    'wrong secret': null,
    expired: null,
    revoked: null,
    'used 30 seconds ago': recently,
    'used 61 seconds ago': expect.toSatisfy((lastUse: Date) => lastUse > recently),
    'never used': expect.any(Date),
  });
});
