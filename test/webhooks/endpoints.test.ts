import { sql } from 'kysely';
import { expect } from 'vitest';
import { exchange } from '../fixtures/raw-http.ts';
import { test } from '../fixtures/test.ts';
import { createEndpoint } from './endpoints.ts';

test('createWebhookEndpoint stores no readable secret, and a replay returns it', async ({ service, account }) => {
  const call = () =>
    account.client.createWebhookEndpoint({ url: 'http://127.0.0.1:9/' }, { idempotencyKey: 'k' }).withResponse();
  const { data: created } = await call();
  expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const replay = await call();
  expect([replay.replayed, replay.data]).toEqual([true, created]);
  const stored = await sql<{ text: string }>`
    select k.body::text || e::text as text from idempotency_keys k join webhook_endpoints e using (account_id)
    where account_id = ${account.id}`.execute(service.db);
  expect(stored.rows).toHaveLength(1);
  const bytes = Buffer.from(created.secret.slice('whsec_'.length), 'base64');
  for (const form of [created.secret, bytes.toString('base64url'), bytes.toString('hex'), bytes.toString('base64')]) {
    expect(stored.rows[0]?.text).not.toContain(form);
  }
});

test('an account has at most 16 webhook endpoints, also with concurrent requests', async ({ account }) => {
  const create = () => account.client.createWebhookEndpoint({ url: 'http://127.0.0.1:9/' });
  const results = await Promise.allSettled(Array.from({ length: 20 }, create));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
  const { data } = await account.client.listWebhookEndpoints();
  expect(data).toHaveLength(16);
  await expect(create()).rejects.toMatchObject({ status: 409, code: 'webhook_limit_reached' });
  await account.client.deleteWebhookEndpoint({ webhook_endpoint_id: data[3]?.id ?? '' });
  await create();
});

test('createWebhookEndpoint and updateWebhookEndpoint refuse URLs of private networks', async ({ account }) => {
  const { path } = await createEndpoint(account, 'http://127.0.0.1:9/');
  for (const url of ['https://10.0.0.1/', 'http://shop.example.com/', 'https://[::ffff:7f00:1]/', 'https://a/']) {
    const refused = { status: 400, code: 'invalid_request', errors: [{ pointer: '/url', code: 'not_allowed' }] };
    await expect(account.client.createWebhookEndpoint({ url })).rejects.toMatchObject(refused);
    await expect(account.client.updateWebhookEndpoint({ ...path, url })).rejects.toMatchObject(refused);
  }
});

test.for(['', 'content-type: application/json\r\n', 'content-type: text/plain\r\n'])(
  'deleteWebhookEndpoint ignores a body with "%s"',
  async (contentType, { service, account }) => {
    const { path } = await createEndpoint(account, 'https://shop.example.com/hooks');
    const head =
      `DELETE /v1/webhook_endpoints/${path.webhook_endpoint_id} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n` +
      `authorization: Bearer ${account.key}\r\n${contentType}content-length: 5\r\n\r\n`;
    expect((await exchange(service, `${head}{"a":`)).map(({ status }) => status)).toEqual([204]);
    expect((await account.client.listWebhookEndpoints()).data).toEqual([]);
  },
);
