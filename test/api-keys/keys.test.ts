import { createKey, disableAccount, listKeys, revokeKey, rotateKey } from '@waybill/server/auth/administration';
import { migrate } from '@waybill/server/database/migrate';
import { sql } from 'kysely';
import { afterEach, expect, vi } from 'vitest';
import { ownDatabase } from '../fixtures/own-database.ts';
import { type Service, startService } from '../fixtures/service.ts';
import { allScopes, newAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

const statusWith = async ({ baseUrl }: Service, key: string): Promise<number> =>
  (await fetch(`${baseUrl}/shipments`, { headers: { authorization: `Bearer ${key}` } })).status;

const idOf = (key: string): string => key.split('_')[1] ?? '';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a key in the cache returns 401 within 5 seconds of revocation, rotation or the account's disabling", async ({
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
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 5_000);
  for (const { key } of [revoked, rotated, disabled]) expect(await statusWith(service, key)).toBe(401);
  expect(await statusWith(service, successor)).toBe(200);
});

test('rotateKey with an overlap leaves both keys valid, and the new key has the scopes of the old one', async ({
  service,
  account,
}) => {
  const old = await account.keyWith(['shipments:read']);
  const { key, scopes } = await rotateKey(service.db, account.id, idOf(old), 3_600_000);
  expect(scopes).toEqual(['shipments:read']);
  expect([await statusWith(service, old), await statusWith(service, key)]).toEqual([200, 200]);
  const listed = (await listKeys(service.db, account.id)).find(({ key_id }) => key_id === idOf(old));
  expect(Math.abs(Number(listed?.expires_at) - Date.now() - 3_600_000)).toBeLessThan(60_000);
});

test('a key in the cache returns 401 from its expiry on', async ({ service, account }) => {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const made = await createKey(service.db, account.id, { name: 'short', scopes: allScopes, expiresAt });
  expect(await statusWith(service, made.key)).toBe(200);
  vi.useFakeTimers({ toFake: ['Date'], now: expiresAt });
  expect(await statusWith(service, made.key)).toBe(401);
});

test('rotateKey refuses an expired or revoked key and a key of another account', async ({ service, account }) => {
  const other = await newAccount(service);
  const rotate = (owner: string, key: string) => rotateKey(service.db, owner, idOf(key), 0);
  await expect(rotate(other.id, account.key)).rejects.toThrow('has no active key');
  await revokeKey(service.db, account.id, idOf(account.key));
  await expect(rotate(account.id, account.key)).rejects.toThrow('has no active key');
});

test('last_used_at changes only for a valid key, and at most once a minute', async ({ service, account }) => {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
  const cases = {
    'wrong secret': { lastUse: null, wrong: true, changes: false },
    expired: { lastUse: null, expiresAt: ago(1), changes: false },
    revoked: { lastUse: null, revokedAt: ago(1), changes: false },
    'used 30 seconds ago': { lastUse: ago(30), changes: false },
    'used 61 seconds ago': { lastUse: ago(61), changes: true },
    'never used': { lastUse: null, changes: true },
  };
  // Closing a service waits for its queries: what has not changed by then does not change any more.
  const other = await startService();
  const made = new Map<string, string>();
  for (const [name, { lastUse, ...key }] of Object.entries(cases)) {
    const {
      expiresAt = null,
      revokedAt = null,
      wrong = false,
    } = { ...key } as {
      expiresAt?: Date;
      revokedAt?: Date;
      wrong?: boolean;
    };
    const { key: secret, key_id } = await createKey(service.db, account.id, { name, scopes: allScopes, expiresAt });
    await service.db
      .updateTable('api_keys')
      .set({ last_used_at: lastUse, revoked_at: revokedAt })
      .where('key_id', '=', key_id)
      .execute();
    made.set(key_id, name);
    await statusWith(other, wrong ? `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}` : secret);
  }
  await other[Symbol.asyncDispose]();
  const listed = (await listKeys(service.db, account.id)).filter(({ key_id }) => made.has(key_id));
  const changed = listed.map(({ name, last_used_at }) => {
    const { lastUse } = cases[name as keyof typeof cases];
    return [name, last_used_at?.getTime() !== lastUse?.getTime()];
  });
  expect(Object.fromEntries(changed)).toEqual(
    Object.fromEntries(Object.entries(cases).map(([name, { changes }]) => [name, changes])),
  );
});

test('when last_used_at cannot be written, requests succeed and the first of the failures is logged', async () => {
  await using database = await ownDatabase();
  const log: Record<string, unknown>[] = [];
  await using service = await startService({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' }, log);
  await migrate(service.db);
  const { id, key, keyWith } = await newAccount(service);
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$`.execute(
    service.db,
  );
  await sql`create trigger refuse before update on api_keys for each row execute function refuse()`.execute(service.db);
  for (const each of [key, await keyWith(['shipments:read']), await keyWith(['shipments:read'])]) {
    expect(await statusWith(service, each)).toBe(200);
  }
  const text = 'The last use of API keys cannot be recorded: the disk is full. Requests are not affected.';
  await vi.waitFor(() => expect(log.map(({ msg }) => msg)).toEqual([text]), waitTimeout);
  await sql`drop trigger refuse on api_keys`.execute(service.db);
  const other = await keyWith(['shipments:read']);
  await statusWith(service, other);
  const lastUse = async () =>
    (await listKeys(service.db, id)).find(({ key_id }) => key_id === idOf(other))?.last_used_at;
  await vi.waitFor(async () => expect(await lastUse()).toBeInstanceOf(Date), waitTimeout);
  expect(log).toHaveLength(1);
});
