import { type EncryptedSecret, secretBox } from '@waybill/server/webhook-signing/secrets';
import { expect, test } from 'vitest';

const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];

test('a secret is 32 random bytes by the Standard Webhooks specification', () => {
  const box = secretBox([first]);
  const secrets = Array.from({ length: 100 }, () => box.decrypt(box.create()));
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(new Set(secrets).size).toBe(100);
});

test('the encrypted form does not contain the secret, and differs each time', () => {
  const box = secretBox([first]);
  const encrypted = box.create();
  const bytes = Buffer.from(box.decrypt(encrypted).slice('whsec_'.length), 'base64');
  expect(Buffer.from(encrypted, 'base64url').includes(bytes)).toBe(false);
});

test('every key decrypts, so that SIGNING_KEYS can be replaced step by step', () => {
  const encrypted = secretBox([first]).create();
  expect(secretBox([second, first]).decrypt(encrypted)).toBe(secretBox([first]).decrypt(encrypted));
  expect(() => secretBox([second]).decrypt(encrypted)).toThrow(/SIGNING_KEYS/);
});

test('an encrypted secret that was changed is refused', () => {
  const box = secretBox([first]);
  const bytes = Buffer.from(box.create(), 'base64url');
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => box.decrypt(changed.toString('base64url') as EncryptedSecret)).toThrow();
  }
});
