import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { secretPrefix } from './signature.ts';

/** An encrypted secret as base64url, as the database and stored responses contain it. */
export type EncryptedSecret = string & { readonly isEncrypted: unique symbol };

/** Encrypts the secrets of webhook endpoints. They cannot be hashed, because they sign deliveries. */
export interface SecretBox {
  /** Makes a new secret, encrypted. */
  create(): EncryptedSecret;
  /** Returns a secret such as `whsec_…`. @throws when no key has encrypted it */
  decrypt(secret: EncryptedSecret): string;
  /** Returns a secret as the first key encrypts it; unchanged if that key has encrypted it. @throws when no key has */
  renew(secret: EncryptedSecret): EncryptedSecret;
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
    return Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString('base64url') as EncryptedSecret;
  };
  const decrypt = (secret: EncryptedSecret): { decrypted: Buffer; isOfFirstKey: boolean } => {
    const bytes = Buffer.from(secret, 'base64url');
    for (const [index, key] of keys.entries()) {
      const decrypted = decryptWith(key, bytes);
      if (decrypted) return { decrypted, isOfFirstKey: index === 0 };
    }
    throw new Error('A webhook secret was encrypted with a key that is no longer in SIGNING_KEYS');
  };
  return {
    create: () => encrypt(randomBytes(secretLength)),
    decrypt: (secret) => secretPrefix + decrypt(secret).decrypted.toString('base64'),
    renew(secret) {
      const { decrypted, isOfFirstKey } = decrypt(secret);
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
