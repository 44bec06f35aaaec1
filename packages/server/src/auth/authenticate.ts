import type { KeyError } from '@waybill/http/authorization';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { andThen, orTooSlow } from '../concurrency/time-limit.ts';
import type { Tables } from '../database/tables.ts';
import type { RateLimit } from '../rate-limit/limit.ts';
import { type Claim, isAccessId, parseKey, secretMatches } from './keys.ts';
import { findAccess, findKey, type StoredKey, updateLastUse } from './queries.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The account, and the id of the API key or the access. Empty until `setCaller` has set them. */
    accountId: string;
    keyId: string;
    /** Those of the key or of the access, once it is valid. */
    scopes: string[];
  }
}

/** Adds the properties of requests that `setCaller` sets. */
export function decorateWithCaller(app: FastifyInstance): void {
  app.decorateRequest('accountId', '');
  app.decorateRequest('keyId', '');
  app.decorateRequest('access', undefined);
  app.decorateRequest('scopes', null as never);
}

/** Sets `accountId`, `keyId`, `scopes` and `access` of a request with a valid key or access token. */
export function setCaller(request: FastifyRequest, { accountId, keyId, scopes, access }: StoredKey): void {
  Object.assign(request, { accountId, keyId, scopes, access });
}

/** Milliseconds for which a key is cached. A revoked key may be valid for as long. */
const keyTtl = 5000;
/** The same for an access, which must end within a second. */
const accessTtl = 500;
const maxKeys = 10_000;
/** Milliseconds between two updates of `last_used_at` for one key, so that reads rarely cause a write. */
const lastUseInterval = 60_000;

/** A request that is counted: for its key or access, or for its IP address with the reason why it has no valid one. */
type Authenticated = ({ key: StoredKey; keyError?: undefined } | { key?: undefined; keyError: KeyError }) & {
  /** The `RateLimit` headers of the response. */
  limitHeaders: Record<string, string>;
};

/**
 * Finds the key or the access of an `Authorization` header and counts the request. For a cached key it returns no promise,
 * unless it has to wait for the rate limit.
 * @param isCounted whether the request is a part of one that has counted for its key
 * @throws {Problem} rate_limited, or unavailable when its key is not found in time
 */
export type Authenticate = (
  authorization: string | undefined,
  address: string,
  isCounted?: boolean,
) => Authenticated | Promise<Authenticated>;

export interface Authenticator {
  authenticateAndCount: Authenticate;
  /** Removes a key or an access from the cache, so that the next request looks it up. */
  forget(keyId: string): void;
}

/** The keys, or the accesses, that this process knows. Many of the one kind do not displace those of the other. */
interface Known {
  cached: LRUCache<string, StoredKey>;
  lookUp(keyId: string): Promise<StoredKey | undefined>;
  validBefore: LRUCache<string, true>;
}

function known(db: Kysely<Tables>, ttl: number, find: typeof findKey): Known {
  const cached = new LRUCache<string, StoredKey>({ max: maxKeys, ttl, ttlResolution: 0 }); // it reads the clock each time
  const lookUp = shareLookUps(
    (keyId) => find(db, keyId),
    (key) => cached.set(key.keyId, key),
  );
  return { cached, lookUp, validBefore: new LRUCache<string, true>({ max: maxKeys }) };
}

/**
 * Makes what authenticates requests. Valid keys and accesses are cached. Unknown ids are not cached, so that a new key
 * works at once. Therefore each look-up counts for the IP address before it is made, and is refunded when the key is
 * valid or the look-up fails. The address does not limit look-ups of keys that have been valid before.
 * @param timeout milliseconds that a request waits for its key
 * @param warn logs a warning
 */
export function authenticator(
  db: Kysely<Tables>,
  limit: RateLimit,
  timeout: number,
  warn: (message: string) => void,
): Authenticator {
  const keys = known(db, keyTtl, findKey);
  const accesses = known(db, accessTtl, findAccess);
  const knownOf = (keyId: string): Known => (isAccessId(keyId) ? accesses : keys);
  const recordUse = lastUseRecorder(db, warn);

  const accept = (key: StoredKey, isCounted: boolean): Authenticated | Promise<Authenticated> => {
    if (!key.access) recordUse(key);
    const counted = limit.count(key.access ? 'access' : 'key', key.keyId, isCounted ? 0 : 1);
    return andThen(counted, (limitHeaders) => ({ key, limitHeaders }));
  };
  /** A request whose key is not cached counts for its address before the look-up, unless the key has been valid before. */
  const find = async (claim: Claim | KeyError, address: string, isCounted: boolean): Promise<Authenticated> => {
    if (typeof claim === 'string') return { keyError: claim, limitHeaders: await limit.count('address', address) };
    const { lookUp, validBefore } = knownOf(claim.keyId);
    const isKnown = validBefore.has(claim.keyId);
    const addressHeaders = isKnown ? undefined : await limit.count('address', address);
    let key: StoredKey | undefined;
    try {
      key = await lookUp(claim.keyId);
    } catch (error) {
      if (!isKnown) limit.refund('address', address);
      throw error;
    }
    if (!key) validBefore.delete(claim.keyId);
    const keyError = errorOf(key, claim);
    if (!key || keyError) {
      return {
        keyError: keyError ?? 'unknown', // without a key there is an error
        limitHeaders: addressHeaders ?? (await limit.count('address', address)),
      };
    }
    if (!isKnown) limit.refund('address', address);
    validBefore.set(claim.keyId, true);
    return accept(key, isCounted);
  };

  const authenticateAndCount: Authenticate = (authorization, address, isCounted = false) => {
    const claim = parseKey(authorization);
    const cached = typeof claim === 'string' ? undefined : knownOf(claim.keyId).cached.get(claim.keyId);
    if (typeof claim === 'string' || !cached) return orTooSlow(find(claim, address, isCounted), timeout);
    const keyError = errorOf(cached, claim);
    if (!keyError) return accept(cached, isCounted);
    return andThen(limit.count('address', address), (limitHeaders) => ({ keyError, limitHeaders }));
  };
  return { authenticateAndCount, forget: (keyId) => void knownOf(keyId).cached.delete(keyId) };
}

/**
 * Makes a look-up that concurrent requests for the same key share. The `fetch` of LRUCache would do so too, but each
 * running look-up would occupy an entry: enough unknown ids would evict the keys.
 */
function shareLookUps(
  find: (keyId: string) => Promise<StoredKey | undefined>,
  store: (key: StoredKey) => void,
): (keyId: string) => Promise<StoredKey | undefined> {
  const running = new Map<string, Promise<StoredKey | undefined>>();
  const start = async (keyId: string): Promise<StoredKey | undefined> => {
    try {
      const key = await find(keyId);
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

/** The secret comes first: that a key exists or has expired is known to those only who have it. */
function errorOf(key: StoredKey | undefined, { keyId, secret }: Claim): KeyError | undefined {
  const isAccess = isAccessId(keyId);
  if (!key || !secretMatches(secret, key.secretHash)) return isAccess ? 'unknown_token' : 'unknown';
  if (key.expiresAt === null || key.expiresAt > new Date()) return undefined;
  return isAccess ? 'expired_token' : 'expired';
}

/**
 * Makes the function that records that a key is used. It never fails and never delays a request. Of consecutive failures
 * only the first is logged.
 */
function lastUseRecorder(db: Kysely<Tables>, warn: (message: string) => void): (key: StoredKey) => void {
  let isFailing = false;
  return (key) => {
    const before = new Date(Date.now() - lastUseInterval);
    if (key.lastUsedAt && key.lastUsedAt > before) return;
    const now = new Date();
    key.lastUsedAt = now; // the cached key prevents further updates until the next look-up
    updateLastUse(db, key, now, before).then(
      () => {
        isFailing = false;
      },
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        if (!isFailing) warn(`The last use of API keys cannot be recorded: ${reason}. Requests are not affected.`);
        isFailing = true;
      },
    );
  };
}
