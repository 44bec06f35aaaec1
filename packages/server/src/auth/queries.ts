import type { Scope } from '@waybill/contract/scopes';
import type { Kysely } from 'kysely';
import { publicId, uuidFromPublicId } from '../database/identifiers.ts';
import type { Tables } from '../database/tables.ts';
import type { Access } from './visibility.ts';

/** The columns of a key, or of an access, that authentication needs. */
export interface StoredKey {
  /** Of an access, its public id. */
  keyId: string;
  accountId: string;
  secretHash: Buffer;
  scopes: Scope[];
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  /** What an access permits; undefined for a key. */
  access?: Access;
  /** The share of its account, in percent; null for the usual one. */
  share: number | null;
}

/**
 * Finds a key that is not revoked, of an account that is not disabled. Resolves to undefined when there is none. The
 * query names no account, because the key determines it.
 */
export async function findKey(db: Kysely<Tables>, keyId: string): Promise<StoredKey | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.account_id', 'api_keys.account_id')
    .select(['api_keys.account_id', 'secret_hash', 'scopes', 'expires_at', 'last_used_at', 'share'])
    .where('key_id', '=', keyId)
    .where('revoked_at', 'is', null)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return (
    row && {
      keyId,
      accountId: row.account_id,
      secretHash: row.secret_hash,
      scopes: row.scopes,
      expiresAt: row.expires_at,
      lastUsedAt: row.last_used_at,
      share: row.share,
    }
  );
}

/** Finds an access that is not revoked, as `findKey` finds a key. @param id its public id */
export async function findAccess(db: Kysely<Tables>, id: string): Promise<StoredKey | undefined> {
  const row = await db
    .selectFrom('accesses')
    .innerJoin('accounts', 'accounts.account_id', 'accesses.account_id')
    .select(['accesses.account_id', 'shipment_id', 'tracking_number', 'secret_hash', 'kind', 'scopes', 'detail'])
    .select(['documents', 'expires_at', 'share', 'dispatcher_phone'])
    .where('id', '=', uuidFromPublicId('acc', id))
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { account_id: accountId, secret_hash: secretHash, kind, scopes, detail, expires_at: expiresAt, share } = row;
  const shipmentId = publicId('ship', row.shipment_id);
  const documents = row.documents === true;
  const { tracking_number: trackingNumber, dispatcher_phone: dispatcherPhone } = row;
  const access = { id, shipmentId, trackingNumber, kind, scopes, detail, documents, dispatcherPhone };
  return { keyId: id, accountId, secretHash, scopes, expiresAt, lastUsedAt: null, access, share };
}

/** Those of the accesses that are valid now. @param ids public ids */
export async function findValidAccesses(db: Kysely<Tables>, ids: string[]): Promise<string[]> {
  const uuids = ids.map((id) => uuidFromPublicId('acc', id));
  const rows = await db
    .selectFrom('accesses')
    .innerJoin('accounts', 'accounts.account_id', 'accesses.account_id')
    .select('id')
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(uuids))))
    .where('expires_at', '>', new Date())
    .where('disabled_at', 'is', null)
    .execute();
  return rows.map(({ id }) => publicId('acc', id));
}

/** Those of the keys that are valid now. */
export async function findValidKeys(db: Kysely<Tables>, keyIds: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.account_id', 'api_keys.account_id')
    .select('key_id')
    .where((eb) => eb('key_id', '=', eb.fn.any(eb.val(keyIds))))
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', new Date())]))
    .where('disabled_at', 'is', null)
    .execute();
  return rows.map(({ key_id }) => key_id);
}

/** Stores when a key was used, unless another instance has stored a later use than `before`. */
export async function updateLastUse(
  db: Kysely<Tables>,
  { accountId, keyId }: StoredKey,
  now: Date,
  before: Date,
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('account_id', '=', accountId)
    .where('key_id', '=', keyId)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', before)]))
    .execute();
}
