import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import { type Scope, scopes } from '@waybill/contract/scopes';
import { idPattern, publicId } from '../database/identifiers.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idLength = 12;
const secretLength = 40; // 238 bits
const keyPattern = new RegExp(`^wbk_([0-9A-Za-z]{${idLength}})_([0-9A-Za-z]{${secretLength}})$`);
const tokenPattern = new RegExp(`^wba_(${idPattern})_([0-9A-Za-z]{${secretLength}})$`);

const randomText = (length: number): string => Array.from({ length }, () => base62[randomInt(base62.length)]).join('');

/** Hashes the secret of a key for storage. */
const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Makes an API key, `wbk_<key id>_<secret>`. Store only the hash of its secret. */
export function makeKey(): { key: string; keyId: string; secretHash: Buffer } {
  const keyId = randomText(idLength);
  const secret = randomText(secretLength);
  return { key: `wbk_${keyId}_${secret}`, keyId, secretHash: hashSecret(secret) };
}

const accessPrefix = 'acc_';

/** Makes the token of an access, `wba_<access id>_<secret>`. Store only the hash of its secret. @param id a uuid */
export function makeToken(id: string): { token: string; secretHash: Buffer } {
  const secret = randomText(secretLength);
  const suffix = publicId('acc', id).slice(accessPrefix.length);
  return { token: `wba_${suffix}_${secret}`, secretHash: hashSecret(secret) };
}

/** Whether an id is that of an access instead of a key. */
export const isAccessId = (keyId: string): boolean => keyId.startsWith(accessPrefix);

/** The parts of a key or an access token that a request presents. */
export interface Claim {
  /** The id of a key, or the public id of an access. */
  keyId: string;
  secret: string;
}

/** Parses the key or the access token of an `Authorization: Bearer` header (RFC 6750, section 2.1). */
export function parseKey(authorization: string | undefined): Claim | 'missing' | 'malformed' {
  if (authorization === undefined) return 'missing';
  const [scheme, token = '', ...rest] = authorization.split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || rest.length > 0) return 'malformed';
  const [, keyId, secret] = keyPattern.exec(token) ?? [];
  if (keyId && secret) return { keyId, secret };
  const [, suffix, tokenSecret] = tokenPattern.exec(token) ?? [];
  return suffix && tokenSecret ? { keyId: accessPrefix + suffix, secret: tokenSecret } : 'malformed';
}

/** Compares a secret with a stored hash in constant time. */
export const secretMatches = (secret: string, secretHash: Buffer): boolean =>
  timingSafeEqual(hashSecret(secret), secretHash);

const allScopes = Object.keys(scopes) as Scope[];

/**
 * The scopes of a key by its purpose: the shipper's own program, one that also gives carriers access to shipments, a
 * carrier's, one that only reads, or the one in a link of the board.
 */
export const keyPresets: Record<'shipper' | 'dispatcher' | 'carrier' | 'reader' | 'board', Scope[]> = {
  shipper: allScopes.filter((scope) => scope !== 'tracking:write'),
  dispatcher: allScopes,
  carrier: allScopes.filter((scope) => scope.startsWith('tracking:')),
  reader: allScopes.filter((scope) => scope.endsWith(':read')),
  board: ['shipments:read', 'tracking:read', 'events:read'],
};
