import { hash, randomInt, timingSafeEqual } from 'node:crypto';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idLength = 12;
const secretLength = 40; // 238 bits
const shape = new RegExp(`^wbk_([0-9A-Za-z]{${idLength}})_([0-9A-Za-z]{${secretLength}})$`);

const random = (length: number): string => Array.from({ length }, () => base62[randomInt(base62.length)]).join('');

export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** A new API key, `wbk_<key id>_<secret>`. Only the hash of its secret may be stored. */
export function makeKey(): { key: string; keyId: string; secretHash: Buffer } {
  const keyId = random(idLength);
  const secret = random(secretLength);
  return { key: `wbk_${keyId}_${secret}`, keyId, secretHash: hashSecret(secret) };
}

/** The key of an `Authorization: Bearer` header (RFC 6750, section 2.1), or null when it has not the shape of one. */
export function parseKey(authorization: string | undefined): { keyId: string; secret: string } | null {
  const [scheme, token, ...rest] = authorization?.split(' ') ?? [];
  if (scheme?.toLowerCase() !== 'bearer' || rest.length > 0) return null;
  const [, keyId, secret] = shape.exec(token ?? '') ?? [];
  return keyId && secret ? { keyId, secret } : null;
}

/** Compares in constant time. */
export const secretMatches = (secret: string, secretHash: Buffer): boolean =>
  timingSafeEqual(hashSecret(secret), secretHash);
