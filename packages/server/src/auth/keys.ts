import { hash, randomInt, timingSafeEqual } from 'node:crypto';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idLength = 12;
const secretLength = 40; // 238 bits
const pattern = new RegExp(`^wbk_([0-9A-Za-z]{${idLength}})_([0-9A-Za-z]{${secretLength}})$`);

const randomText = (length: number): string => Array.from({ length }, () => base62[randomInt(base62.length)]).join('');

/** Hashes the secret of a key for storage. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Makes an API key, `wbk_<key id>_<secret>`. Store only the hash of its secret. */
export function makeKey(): { key: string; keyId: string; secretHash: Buffer } {
  const keyId = randomText(idLength);
  const secret = randomText(secretLength);
  return { key: `wbk_${keyId}_${secret}`, keyId, secretHash: hashSecret(secret) };
}

/** The parts of a key that a request presents. */
export interface Claim {
  keyId: string;
  secret: string;
}

/** Parses the key of an `Authorization: Bearer` header (RFC 6750, section 2.1). */
export function parseKey(authorization: string | undefined): Claim | 'missing' | 'malformed' {
  if (authorization === undefined) return 'missing';
  const [scheme, token, ...rest] = authorization.split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || rest.length > 0) return 'malformed';
  const [, keyId, secret] = pattern.exec(token ?? '') ?? [];
  return keyId && secret ? { keyId, secret } : 'malformed';
}

/** Compares a secret with a stored hash in constant time. */
export const secretMatches = (secret: string, secretHash: Buffer): boolean =>
  timingSafeEqual(hashSecret(secret), secretHash);
