import { LRUCache } from 'lru-cache';
import type { Database } from '../database/connect.ts';
import { parseKey, secretMatches } from './keys.ts';
import type { RecordUse } from './last-use.ts';
import { findKey, type StoredKey } from './queries.ts';

/** How long a revoked key may still work, in milliseconds. */
const memory = 5000;

/** An `Authorization` header → its key, or undefined when it is not a good one. */
export type Authenticate = (authorization: string | undefined) => Promise<StoredKey | undefined>;

/**
 * Makes the check of `Authorization` headers. A key that was looked up is remembered for at most 5 s; a miss is not
 * remembered, so that a new key works at once.
 */
export function authenticator(db: Database, recordUse: RecordUse): Authenticate {
  const lookUp = (keyId: string): Promise<StoredKey | undefined> => findKey(db, keyId);
  const known = new LRUCache<string, StoredKey>({ max: 10_000, ttl: memory, fetchMethod: lookUp });
  return async (authorization) => {
    const claim = parseKey(authorization);
    const key = claim && (await known.fetch(claim.keyId));
    if (!key || !secretMatches(claim.secret, key.secretHash)) return undefined;
    if (key.expiresAt && key.expiresAt <= new Date()) return undefined;
    recordUse(key);
    return key;
  };
}
