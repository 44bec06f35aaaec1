import { createKey, disableAccount, listKeys, revokeKey, rotateKey } from '@waybill/server/auth/administration';
import { expect, vi } from 'vitest';
import type { Service } from '../harness/service.ts';
import { allScopes, newAccount, test } from '../harness/test.ts';

const statusWith = async ({ baseUrl }: Service, key: string): Promise<number> =>
  (await fetch(`${baseUrl}/shipments`, { headers: { authorization: `Bearer ${key}` } })).status;

const idOf = (key: string): string => key.split('_')[1] ?? '';

/** The service may remember a key for 5 seconds, and no longer. */
const soon = { timeout: 6000, interval: 100 };

test('a key that was just used stops working within 5 seconds of being revoked, rotated out or disabled', async ({
  service,
}) => {
  const [revoked, rotated, disabled] = [
    await newAccount(service),
    await newAccount(service),
    await newAccount(service),
  ];
  for (const { key } of [revoked, rotated, disabled]) expect(await statusWith(service, key)).toBe(200);
  await revokeKey(service.db, revoked.id, idOf(revoked.key));
  const { key: successor } = await rotateKey(service.db, rotated.id, idOf(rotated.key), 0);
  await disableAccount(service.db, disabled.id);
  expect(await statusWith(service, successor)).toBe(200);
  await Promise.all(
    [revoked, rotated, disabled].map(({ key }) =>
      vi.waitFor(async () => expect(await statusWith(service, key)).toBe(401), soon),
    ),
  );
  expect(await statusWith(service, successor)).toBe(200);
});

test('with an overlap both keys work, and the new one has the scopes of the old', async ({ service, account }) => {
  const old = await account.keyWith(['shipments:read']);
  const { key, scopes } = await rotateKey(service.db, account.id, idOf(old), 3_600_000);
  expect(scopes).toEqual(['shipments:read']);
  expect([await statusWith(service, old), await statusWith(service, key)]).toEqual([200, 200]);
  const listed = (await listKeys(service.db, account.id)).find(({ key_id }) => key_id === idOf(old));
  expect(Math.abs(Number(listed?.expires_at) - Date.now() - 3_600_000)).toBeLessThan(60_000);
});

test('a key that expires is refused from that moment on, though it is remembered', async ({ service, account }) => {
  const expiresAt = new Date(Date.now() + 400);
  const made = await createKey(service.db, account.id, { name: 'short', scopes: allScopes, expiresAt });
  expect(await statusWith(service, made.key)).toBe(200);
  await vi.waitFor(async () => expect(await statusWith(service, made.key)).toBe(401), { timeout: 2000, interval: 50 });
});

test('only a key that still works can be rotated, and only by its account', async ({ service, account }) => {
  const stranger = await newAccount(service);
  const rotate = (owner: string, key: string) => rotateKey(service.db, owner, idOf(key), 0);
  await expect(rotate(stranger.id, account.key)).rejects.toThrow('has no key');
  await revokeKey(service.db, account.id, idOf(account.key));
  await expect(rotate(account.id, account.key)).rejects.toThrow('still works');
});

test('the list tells when a key was last used, at most once a minute', async ({ service, account }) => {
  const lastUse = async () =>
    (await listKeys(service.db, account.id)).find(({ key_id }) => key_id === idOf(account.key))?.last_used_at;
  expect(await lastUse()).toBeNull();
  await statusWith(service, account.key);
  await vi.waitFor(async () => expect(await lastUse()).not.toBeNull(), soon);
  const first = await lastUse();
  await statusWith(service, account.key);
  expect(await lastUse()).toEqual(first);
});
