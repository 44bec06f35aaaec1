import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { EncryptedSecret } from './tables.ts';

/** Beginning of every secret of an endpoint (Standard Webhooks). */
export const secretPrefix = 'whsec_';

/**
 * Encrypts the secrets of webhook endpoints, which cannot be hashed because they sign deliveries, and the tokens of accesses
 * in stored responses.
 */
export interface SecretBox {
  /** Makes a new secret of an endpoint, encrypted. */
  create(): EncryptedSecret;
  /** Returns a secret of an endpoint, such as `whsec_…`. @throws when no key of SIGNING_KEYS has encrypted it */
  decrypt(secret: EncryptedSecret): string;
  /** Returns a secret as the first key encrypts it; unchanged if that key has encrypted it. @throws when no key has */
  renew(secret: EncryptedSecret): EncryptedSecret;
  /** Encrypts the token of an access, or the URL with it. */
  encryptToken(token: string): EncryptedSecret;
  /** @throws when no key of SIGNING_KEYS has encrypted it */
  decryptToken(token: EncryptedSecret): string;
}

const algorithm = 'aes-256-gcm';
const secretLength = 32;
const nonceLength = 12;
const tagLength = 16;

/** @param signingKeys SIGNING_KEYS: the first encrypts, all decrypt */
export function secretBox(signingKeys: string[]): SecretBox {
  const keys = signingKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'waybill webhook secrets', 32)));
  const encrypt = (secret: Buffer): EncryptedSecret => {
    const [key] = keys;
    if (!key) throw new Error('SIGNING_KEYS is empty');
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength });
    const encrypted = Buffer.concat([cipher.update(secret), cipher.final()]);
    return Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString('base64url') as unknown as EncryptedSecret;
  };
  const decryptBytes = (secret: EncryptedSecret): { decrypted: Buffer; isOfFirstKey: boolean } => {
    const bytes = Buffer.from(String(secret), 'base64url');
    for (const [index, key] of keys.entries()) {
      const decrypted = decryptWith(key, bytes);
      if (decrypted) return { decrypted, isOfFirstKey: index === 0 };
    }
    throw new Error('A secret was encrypted with a key that is no longer in SIGNING_KEYS');
  };
  return {
    create: () => encrypt(randomBytes(secretLength)),
    decrypt: (secret) => secretPrefix + decryptBytes(secret).decrypted.toString('base64'),
    encryptToken: (token) => encrypt(Buffer.from(token)),
    decryptToken: (token) => decryptBytes(token).decrypted.toString(),
    renew(secret) {
      const { decrypted, isOfFirstKey } = decryptBytes(secret);
      return isOfFirstKey ? secret : encrypt(decrypted);
    },
  };
}

/** @returns undefined when another key has encrypted it */
function decryptWith(key: Buffer, bytes: Buffer): Buffer | undefined {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), { authTagLength: tagLength });
  decipher.setAuthTag(bytes.subarray(-tagLength));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()]);
  } catch {
    return undefined;
  }
}
