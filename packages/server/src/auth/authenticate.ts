import type { Scope } from '@waybill/contract/scopes';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Tables } from '../database/tables.ts';
import { Problem } from '../problems.ts';
import { parseKey, secretMatches } from './keys.ts';
import { findKey, type StoredKey } from './queries.ts';

/** How long a revoked key may still work, in milliseconds. */
const memory = 5000;

/**
 * Makes the check of an `Authorization` header: header and needed scope → account id.
 * A key that was looked up is remembered for at most 5 s; a miss is not remembered, so that a new key works at once.
 */
export function authenticator(
  db: Kysely<Tables>,
): (authorization: string | undefined, scope: Scope) => Promise<string> {
  const known = new LRUCache<string, StoredKey>({
    max: 10_000,
    ttl: memory,
    fetchMethod: (keyId) => findKey(db, keyId),
  });
  return async (authorization, scope) => {
    const claim = parseKey(authorization);
    const key = claim && (await known.fetch(claim.keyId));
    if (!key || !secretMatches(claim.secret, key.secretHash) || (key.expiresAt && key.expiresAt <= new Date())) {
      throw new Problem('unauthenticated', 'The API key is missing or not good.');
    }
    if (!key.scopes.includes(scope)) throw new Problem('insufficient_scope', `The key lacks the scope ${scope}.`);
    return key.account;
  };
}
