import type { Scope } from '@waybill/contract/scopes';
import type { Kysely, Transaction } from 'kysely';
import { type AuditLogRow, recordAudit, selectAuditLog } from '../database/audit-log.ts';
import { newUuid } from '../database/identifiers.ts';
import { advisoryLocks, ago, callFunction } from '../database/statements/expressions.ts';
import type { Tables } from '../database/tables.ts';
import { makeKey } from './keys.ts';

/** A change of an account or a key is refused. The message says why and what to do. */
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

/** Creates an account without keys. @throws {AdministrationError} when another account has this name */
export async function createAccount(db: Kysely<Tables>, name: string): Promise<Account> {
  const account = { account_id: newUuid(), name, created_at: new Date(), disabled_at: null };
  await changeAccounts(db, async (trx) => {
    await requireFreeName(trx, name);
    await trx.insertInto('accounts').values(account).execute();
    await recordAudit(trx, { action: 'accounts create', accountId: account.account_id, details: { name } });
  });
  return account;
}

/** Runs a transaction that changes accounts. One at a time, so that two accounts do not get the same name. */
function changeAccounts(db: Kysely<Tables>, change: (trx: Transaction<Tables>) => Promise<void>): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await callFunction(trx, 'pg_advisory_xact_lock', advisoryLocks.accounts);
    await change(trx);
  });
}

async function requireFreeName(trx: Transaction<Tables>, name: string): Promise<void> {
  const other = await trx.selectFrom('accounts').select('account_id').where('name', '=', name).executeTakeFirst();
  if (!other) return;
  throw new AdministrationError(`The account ${other.account_id} already has the name ${name}. Choose another name.`);
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

/**
 * Enables a disabled account: its keys and its webhooks work again within 5 seconds. Enabling it again changes nothing.
 * @throws {AdministrationError} when there is no such account, or its deletion has begun
 */
export function enableAccount(db: Kysely<Tables>, accountId: string): Promise<void> {
  return changeAccounts(db, async (trx) => {
    await requireAccount(trx, accountId);
    if (await isDeletionBegun(trx, accountId)) {
      throw new AdministrationError(
        'The deletion of this account has begun. Run `waybill accounts delete` to complete it.',
      );
    }
    const { numUpdatedRows } = await trx
      .updateTable('accounts')
      .set({ disabled_at: null })
      .where('account_id', '=', accountId)
      .where('disabled_at', 'is not', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await recordAudit(trx, { action: 'accounts enable', accountId, details: {} });
  });
}

/**
 * Renames an account. The name that it has already changes nothing.
 * @throws {AdministrationError} when there is no such account, or another one has this name
 */
export function renameAccount(db: Kysely<Tables>, accountId: string, name: string): Promise<void> {
  return changeAccounts(db, async (trx) => {
    const { name: previous } = await requireAccount(trx, accountId);
    if (name === previous) return;
    await requireFreeName(trx, name);
    await trx.updateTable('accounts').set({ name }).where('account_id', '=', accountId).execute();
    await recordAudit(trx, { action: 'accounts rename', accountId, details: { name, previous } });
  });
}

/**
 * Sets the share of an account. Processes use it within 5 seconds.
 * @param share percent of the time of a process while other accounts are active
 * @throws {AdministrationError} when there is no such account
 */
export function setShare(db: Kysely<Tables>, accountId: string, share: number): Promise<void> {
  return changeAccounts(db, async (trx) => {
    await requireAccount(trx, accountId);
    await trx.updateTable('accounts').set({ share }).where('account_id', '=', accountId).execute();
    await recordAudit(trx, { action: 'accounts share', accountId, details: { share } });
  });
}

/**
 * Sets the phone that links of drivers show, within a second.
 * @param phone null for none
 * @throws {AdministrationError} when there is no such account
 */
export function setDispatcherPhone(db: Kysely<Tables>, accountId: string, phone: string | null): Promise<void> {
  return changeAccounts(db, async (trx) => {
    await requireAccount(trx, accountId);
    await trx.updateTable('accounts').set({ dispatcher_phone: phone }).where('account_id', '=', accountId).execute();
    await recordAudit(trx, { action: 'accounts dispatcher', accountId, details: { dispatcher_phone: phone } });
  });
}

/** Longer than requests of a disabled account continue, as an interval of PostgreSQL. */
const idleTime = '10 seconds';

/**
 * Begins the deletion of a disabled account. From then on it cannot be enabled. Its data is still there.
 * @throws {AdministrationError} when there is no such account, or it has not been disabled for 10 seconds
 */
export function beginDeletion(db: Kysely<Tables>, accountId: string): Promise<void> {
  return changeAccounts(db, async (trx) => {
    const { name, disabled_at } = await requireAccount(trx, accountId);
    if (!disabled_at) {
      throw new AdministrationError(
        `The account is not disabled. Run \`waybill accounts disable ${accountId}\`, and delete it ${idleTime} later.`,
      );
    }
    const idle = await trx
      .selectFrom('accounts')
      .select('account_id')
      .where('account_id', '=', accountId)
      .where('disabled_at', '<=', ago(idleTime))
      .executeTakeFirst();
    if (!idle) {
      throw new AdministrationError(
        `The account was disabled less than ${idleTime} ago, and its last requests may still run. Try again later.`,
      );
    }
    if (await isDeletionBegun(trx, accountId)) return;
    await recordAudit(trx, { action: 'accounts delete', accountId, details: { name } });
  });
}

async function isDeletionBegun(trx: Transaction<Tables>, accountId: string): Promise<boolean> {
  const entries = await selectAuditLog(trx, { account: accountId, action: 'accounts delete', limit: 1 });
  return entries.length > 0;
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
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
      .forUpdate()
      .executeTakeFirst();
    if (!old) throw new AdministrationError(`The account has no active key ${keyId}.`);
    const overlapEnd = new Date(now.getTime() + overlap);
    await trx
      .updateTable('api_keys')
      .set((eb) => ({ expires_at: eb.fn<Date>('least', ['expires_at', eb.val(overlapEnd)]) }))
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

/** @throws {AdministrationError} when there is no such account */
export async function requireAccount(db: Kysely<Tables>, accountId: string): Promise<Account> {
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(accountId);
  const found =
    isUuid &&
    (await db
      .selectFrom('accounts')
      .select(['account_id', 'name', 'created_at', 'disabled_at'])
      .where('account_id', '=', accountId)
      .executeTakeFirst());
  if (!found) throw new AdministrationError(`There is no account ${accountId}.`);
  return found;
}
