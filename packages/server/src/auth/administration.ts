import type { Scope } from '@waybill/contract/scopes';
import { newUuid } from '@waybill/http/identifiers';
import type { Kysely } from 'kysely';
import { type AuditLogRow, recordAudit, selectAuditLog } from '../database/audit-log.ts';
import type { Tables } from '../database/tables.ts';
import { makeKey } from './keys.ts';

/** There is no such account or key. */
export class AdministrationError extends Error {}

export interface Account {
  account_id: string;
  name: string;
  created_at: Date;
  disabled_at: Date | null;
}

/** A key without its secret, which is not stored. */
export interface Key {
  key_id: string;
  name: string;
  scopes: Scope[];
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

/** A new key. `key` is the only copy of its secret. */
export interface NewKey {
  key: string;
  key_id: string;
  scopes: Scope[];
  expires_at: Date | null;
}

/** Creates an account without keys. */
export async function createAccount(db: Kysely<Tables>, name: string): Promise<Account> {
  const account = { account_id: newUuid(), name, created_at: new Date(), disabled_at: null };
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('accounts').values(account).execute();
    await recordAudit(trx, { action: 'accounts create', accountId: account.account_id, details: { name } });
  });
  return account;
}

/** Lists all accounts, oldest first. */
export const listAccounts = (db: Kysely<Tables>): Promise<Account[]> =>
  db.selectFrom('accounts').select(['account_id', 'name', 'created_at', 'disabled_at']).orderBy('account_id').execute();

/**
 * Disables an account. Its keys stop working and its webhooks are stopped within 5 seconds, its data is retained.
 * Disabling it again changes nothing.
 * @throws {AdministrationError} when there is no such account
 */
export function disableAccount(db: Kysely<Tables>, accountId: string): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await requireAccount(trx, accountId);
    const { numUpdatedRows } = await trx
      .updateTable('accounts')
      .set({ disabled_at: new Date() })
      .where('account_id', '=', accountId)
      .where('disabled_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await recordAudit(trx, { action: 'accounts disable', accountId, details: {} });
  });
}

interface KeyOptions {
  name: string;
  scopes: Scope[];
  expiresAt?: Date | null;
}

/**
 * Creates a key of an account.
 * @throws {AdministrationError} when there is no such account
 */
export function createKey(db: Kysely<Tables>, accountId: string, options: KeyOptions): Promise<NewKey> {
  return db.transaction().execute(async (trx) => {
    await requireAccount(trx, accountId);
    const created = await insertKey(trx, accountId, options);
    const { key: _secret, ...details } = created;
    await recordAudit(trx, { action: 'keys create', accountId, details: { ...details, name: options.name } });
    return created;
  });
}

async function insertKey(
  db: Kysely<Tables>,
  accountId: string,
  { name, scopes, expiresAt = null }: KeyOptions,
): Promise<NewKey> {
  const { key, keyId, secretHash } = makeKey();
  await db
    .insertInto('api_keys')
    .values({
      account_id: accountId,
      key_id: keyId,
      secret_hash: secretHash,
      name,
      scopes,
      created_at: new Date(),
      expires_at: expiresAt,
    })
    .execute();
  return { key, key_id: keyId, scopes, expires_at: expiresAt };
}

/** Lists the keys of an account, oldest first. @throws {AdministrationError} when there is no such account */
export async function listKeys(db: Kysely<Tables>, accountId: string): Promise<Key[]> {
  await requireAccount(db, accountId);
  return db
    .selectFrom('api_keys')
    .select(['key_id', 'name', 'scopes', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute();
}

/**
 * Creates a key with the name and scopes of an old one. The old key expires after `overlap` milliseconds at the latest.
 * The new key has the expiry of the old one, unless `expiresAt` is given.
 * @throws {AdministrationError} when the account has no such active key
 */
export function rotateKey(
  db: Kysely<Tables>,
  accountId: string,
  keyId: string,
  overlap: number,
  { expiresAt }: { expiresAt?: Date } = {},
): Promise<NewKey> {
  return db.transaction().execute(async (trx) => {
    await requireAccount(trx, accountId);
    const now = new Date();
    const old = await trx
      .selectFrom('api_keys')
      .select(['name', 'scopes', 'expires_at'])
      .where('account_id', '=', accountId)
      .where('key_id', '=', keyId)
      .where('revoked_at', 'is', null)
      .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', now)]))
      .forUpdate()
      .executeTakeFirst();
    if (!old) throw new AdministrationError(`The account has no active key ${keyId}.`);
    const overlapEnd = new Date(now.getTime() + overlap);
    await trx
      .updateTable('api_keys')
      .set((is) => ({ expires_at: is.fn<Date>('least', ['expires_at', is.val(overlapEnd)]) }))
      .where('account_id', '=', accountId)
      .where('key_id', '=', keyId)
      .execute();
    const created = await insertKey(trx, accountId, { ...old, expiresAt: expiresAt ?? old.expires_at });
    const details = { key_id: keyId, new_key_id: created.key_id, overlap_ms: overlap };
    await recordAudit(trx, { action: 'keys rotate', accountId, details });
    return created;
  });
}

/**
 * Revokes a key. It stops working within 5 seconds. Revoking it again changes nothing.
 * @throws {AdministrationError} when the account has no such key
 */
export function revokeKey(db: Kysely<Tables>, accountId: string, keyId: string): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await requireAccount(trx, accountId);
    const key = await trx
      .selectFrom('api_keys')
      .select('revoked_at')
      .where('account_id', '=', accountId)
      .where('key_id', '=', keyId)
      .forUpdate()
      .executeTakeFirst();
    if (!key) throw new AdministrationError(`The account has no key ${keyId}.`);
    if (key.revoked_at) return;
    await trx
      .updateTable('api_keys')
      .set({ revoked_at: new Date() })
      .where('account_id', '=', accountId)
      .where('key_id', '=', keyId)
      .execute();
    await recordAudit(trx, { action: 'keys revoke', accountId, details: { key_id: keyId } });
  });
}

/**
 * Lists what commands have changed, newest first.
 * @throws {AdministrationError} when there is no such account
 */
export async function listAuditLog(
  db: Kysely<Tables>,
  filter: Parameters<typeof selectAuditLog>[1],
): Promise<AuditLogRow[]> {
  if (filter.account) await requireAccount(db, filter.account);
  return selectAuditLog(db, filter);
}

async function requireAccount(db: Kysely<Tables>, accountId: string): Promise<void> {
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(accountId);
  const found =
    isUuid &&
    (await db.selectFrom('accounts').select('account_id').where('account_id', '=', accountId).executeTakeFirst());
  if (!found) throw new AdministrationError(`There is no account ${accountId}.`);
}
