import { LRUCache } from 'lru-cache';
import type { Database } from '../database/connect.ts';
import type { RateLimit } from '../rate-limit/limit.ts';
import { parseKey, secretMatches } from './keys.ts';
import type { RecordUse } from './last-use.ts';
import { findKey, type StoredKey } from './queries.ts';

/** How long a key that was looked up is used, in milliseconds: a revoked key may still work for as long. */
const ttl = 5000;
const maxKeys = 10_000;

/** A request that has been counted: for its key, or without a valid one for its IP address. */
export interface Authenticated {
  key: StoredKey | undefined;
  /** The headers that say what is left of the limit. */
  limitHeaders: Record<string, string>;
}

/**
 * Finds the key of an `Authorization` header and counts the request.
 * @throws {Problem} rate_limited
 */
export type Authenticate = (authorization: string | undefined, address: string) => Promise<Authenticated>;

/**
 * Makes the check of `Authorization` headers. A key that was looked up is used for 5 s. An unknown id is not stored, so
 * that a new key works at once; therefore a look-up is counted for the IP address before it is made, and given back when
 * the key is valid. Keys that have been valid before are looked up whatever their address has used.
 */
export function authenticator(db: Database, limit: RateLimit, recordUse: RecordUse): Authenticate {
  const keys = new LRUCache<string, StoredKey>({ max: maxKeys, ttl });
  const lookUp = lookUpOnce(db, (key) => keys.set(key.keyId, key));
  const proven = new LRUCache<string, true>({ max: maxKeys });

  return async (authorization, address) => {
    const claim = parseKey(authorization);
    if (!claim) return { key: undefined, limitHeaders: await limit.count('address', address) };
    const stored = keys.get(claim.keyId);
    const isCounted = !stored && !proven.has(claim.keyId);
    const counted = isCounted ? await limit.count('address', address) : undefined;
    const giveBack = (): void => void (isCounted && limit.giveBack('address', address));

    const found =
      stored ??
      (await lookUp(claim.keyId).catch((error) => {
        giveBack();
        throw error;
      }));
    if (!found) proven.delete(claim.keyId);
    if (!found || !isValid(found, claim.secret)) {
      return { key: undefined, limitHeaders: counted ?? (await limit.count('address', address)) };
    }
    giveBack();
    proven.set(claim.keyId, true);
    recordUse(found);
    return { key: found, limitHeaders: await limit.count('key', claim.keyId) };
  };
}

/**
 * Requests that need the same key at once share one look-up. A cache that fetches would do so too, but gives each
 * running look-up an entry: enough unknown ids would then push out the keys, and each other's result.
 */
function lookUpOnce(db: Database, store: (key: StoredKey) => void): (keyId: string) => Promise<StoredKey | undefined> {
  const running = new Map<string, Promise<StoredKey | undefined>>();
  const start = async (keyId: string): Promise<StoredKey | undefined> => {
    try {
      const key = await findKey(db, keyId);
      if (key) store(key);
      return key;
    } finally {
      running.delete(keyId);
    }
  };
  return (keyId) => {
    const lookUp = running.get(keyId) ?? start(keyId);
    running.set(keyId, lookUp);
    return lookUp;
  };
}

function isValid(key: StoredKey, secret: string): boolean {
  if (!secretMatches(secret, key.secretHash)) return false;
  return key.expiresAt === null || key.expiresAt > new Date();
}
