import { secretBox } from '@waybill/server/database/secret-box';
import type { EncryptedSecret } from '@waybill/server/database/tables';
import { signatureHeaders } from '@waybill/server/webhooks/signing';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';

const [first, _second] = ['a'.repeat(32), 'b'.repeat(32)];

test('the encrypted form does not contain the secret', () => {
  const box = secretBox([first]);
  const encrypted = box.create();
  const bytes = Buffer.from(box.decrypt(encrypted).slice('whsec_'.length), 'base64');
  expect(Buffer.from(String(encrypted), 'base64url').includes(bytes)).toBe(false);
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
