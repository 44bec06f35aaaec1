import type { EncryptedSecret } from '@waybill/server/database/tables';
import { secretBox, signatureHeaders } from '@waybill/server/webhooks/signing';
import { Webhook } from 'standardwebhooks';
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
  expect(Buffer.from(String(encrypted), 'base64url').includes(bytes)).toBe(false);
});

test('every key decrypts, so that SIGNING_KEYS can be replaced step by step', () => {
  const encrypted = secretBox([first]).create();
  expect(secretBox([second, first]).decrypt(encrypted)).toBe(secretBox([first]).decrypt(encrypted));
  expect(() => secretBox([second]).decrypt(encrypted)).toThrow(/SIGNING_KEYS/);
});

test('an encrypted secret that was changed is refused', () => {
  const box = secretBox([first]);
  const bytes = Buffer.from(String(box.create()), 'base64url');
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => box.decrypt(changed.toString('base64url') as unknown as EncryptedSecret)).toThrow();
  }
});

test('our signature equals that of the library standardwebhooks', () => {
  const box = secretBox([first]);
  for (const body of ['{}', '{"id":"evt_1","city":"Zürich","n":1.50}', '', ' {"spaces": true}\n', '"\u{1f69a}"']) {
    const secret = box.decrypt(box.create());
    const timestamp = 1_700_000_000;
    const signature = new Webhook(secret).sign('evt_1', new Date(timestamp * 1000), body);
    expect(signatureHeaders({ id: 'evt_1', timestamp, body }, [secret])).toEqual({
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': signature,
    });
  }
});
