import { Resolver } from 'node:dns/promises';
import { setImmediate } from 'node:timers/promises';
import { secretBox } from '@waybill/server/database/secret-box';
import type { EncryptedSecret } from '@waybill/server/database/tables';
import { sql } from 'kysely';
import { expect, onTestFinished, vi } from 'vitest';
import { contractOperations, operationOf } from '../fixtures/contract/contract.ts';
import { isLong } from '../fixtures/long-form.ts';
import { send } from '../fixtures/requests/send.ts';
import { closedUrl, disabledEndpoint, queuedDelivery } from '../fixtures/requests/valid-requests.ts';
import { notWithCluster } from '../fixtures/service/not-with-cluster.ts';
import { signingKey, startService } from '../fixtures/service/service.ts';
import { newAccount, test } from '../fixtures/test.ts';

test('createWebhookEndpoint stores no readable secret, and a replay returns it', async ({ service, account }) => {
  const call = () => account.client.createWebhookEndpoint({ url: closedUrl }, { idempotencyKey: 'k' }).withResponse();
  const { data: created } = await call();
  expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await call()).toMatchObject({ replayed: true, data: created });
  const { rows } = await sql<{ text: string; secret: EncryptedSecret }>`
    select k.body::text || e::text as text, secret from idempotency_keys k join webhook_endpoints e using (account_id)
    where account_id = ${account.id}`.execute(service.db);
  const [{ text, secret } = expect.unreachable()] = rows;
  const [bytes, stored] = [Buffer.from(created.secret.slice(6), 'base64'), Buffer.from(String(secret), 'base64url')];
  for (const form of [created.secret, ...(['base64url', 'hex', 'base64'] as const).map((each) => bytes.toString(each))])
    expect(text).not.toContain(form);
  expect(stored.includes(bytes)).toBe(false);
  const { decrypt } = secretBox([signingKey]);
  expect(decrypt(secret)).toBe(created.secret);
  for (const index of stored.keys()) {
    const changed = stored.with(index, (stored[index] ?? 0) ^ 1);
    expect(() => decrypt(Buffer.from(changed).toString('base64url') as unknown as EncryptedSecret)).toThrow();
  }
});

test('an account has at most 16 webhook endpoints, also with concurrent requests', async ({ account: { client } }) => {
  const create = () => client.createWebhookEndpoint({ url: closedUrl });
  const results = await Promise.allSettled(Array.from({ length: 20 }, create));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
  const { data } = await client.listWebhookEndpoints();
  expect(data).toHaveLength(16);
  await expect(create()).rejects.toMatchObject({ status: 409, code: 'webhook_limit_reached' });
  await client.deleteWebhookEndpoint({ webhook_endpoint_id: data[3]?.id ?? '' });
  await create();
});

test('URLs of private networks are refused, others stored in their canonical form, and null stores a default', async ({
  account: { client },
}) => {
  const created = await client.createWebhookEndpoint({ url: 'HTTP://127.0.0.1:9', types: ['shipment.created'] });
  expect(created.url).toBe('http://127.0.0.1:9/');
  const path = { webhook_endpoint_id: created.id };
  const changes = { url: 'https://BÜCHER.example.com/ü', description: null, types: null };
  const stored = await client.updateWebhookEndpoint({ ...path, ...changes });
  const url = 'https://xn--bcher-kva.example.com/%C3%BC';
  expect(stored).toMatchObject({ url, description: '', types: [] });
  for (const url of ['https://10.0.0.1/', 'http://shop.example.com/', 'https://[::ffff:7f00:1]/', 'https://a/']) {
    const refused = { status: 400, code: 'invalid_request', errors: [{ pointer: '/url', code: 'not_allowed' }] };
    await expect(client.createWebhookEndpoint({ url })).rejects.toMatchObject(refused);
    await expect(client.updateWebhookEndpoint({ ...path, url })).rejects.toMatchObject(refused);
  }
  expect((await client.listWebhookEndpoints()).data).toEqual([stored]);
});

test('a change with the ETag of an earlier version returns 412, also of concurrent changes', async ({
  account: { client },
}) => {
  const path = await disabledEndpoint({ client });
  const tag = async () => (await client.getWebhookEndpoint(path).withResponse()).etag;
  const change = (description: string, ifMatch: string | null) =>
    client.updateWebhookEndpoint({ ...path, description }, { ifMatch }).withResponse();
  const refused = { status: 412, code: 'precondition_failed' };
  const first = await tag();
  const results = await Promise.allSettled([1, 2, 3, 4].map((n) => change(`Change ${n}`, first)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(refused);
  const changed = await tag();
  for (const ifMatch of [first, `W/${changed}`, '"other"', `"other", ${first}`]) {
    await expect(change('B', ifMatch)).rejects.toMatchObject(refused);
    await expect(client.deleteWebhookEndpoint(path, { ifMatch })).rejects.toMatchObject(refused);
  }
  expect(await tag()).toBe(changed);
  expect((await change('A', `"other", ${changed}`)).etag).toBe(await tag());
  for (const ifMatch of ['*', null]) await change('A', ifMatch);
  await client.deleteWebhookEndpoint(path, { ifMatch: await tag() });
  await expect(client.deleteWebhookEndpoint(path, { ifMatch: '*' })).rejects.toMatchObject({ status: 404 });
});

const bodies: Record<string, object> = {
  updateWebhookEndpoint: { status: 'enabled' },
  replayWebhookEvents: { from: '2026-03-02T09:00:00Z', to: '2026-03-02T11:00:00Z' },
};

test.for(contractOperations.filter(({ path }) => path.startsWith('/webhook_endpoints/')))(
  '$id returns 404 or succeeds while its webhook endpoint is deleted',
  async (operation, { service, account }) => {
    for (let round = 0; round < (isLong ? 15 : 5); round++) {
      const request = { key: account.key, path: await queuedDelivery(account), body: bodies[operation.id] ?? {} };
      const sent = [operation, operation, operationOf('deleteWebhookEndpoint'), operation, operation];
      const responses = await Promise.all(sent.map((each) => send(service.baseUrl, each, request)));
      expect(responses.filter(({ ok, status }) => !ok && status !== 404)).toEqual([]);
      expect((await send(service.baseUrl, operation, request)).status).toBe(404);
    }
  },
);

test('a webhook URL whose name is looked up occupies no connection to PostgreSQL', async () => {
  notWithCluster('it replaces the resolver of the service');
  await using service = await startService({ DATABASE_POOL_SIZE: '1' });
  const account = await newAccount(service);
  await account.client.listShipments(); // its key is cached
  using resolver = vi.spyOn(Resolver.prototype, 'resolve4').mockReturnValue(new Promise<never>(() => {}));
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['setTimeout'] }); // the look-up does not end by its time limit
  const creation = account.client.createWebhookEndpoint({ url: 'https://slow.example.com/hook' });
  while (resolver.mock.calls.length === 0) await setImmediate();
  await newAccount(service).then(({ client }) => client.listShipments());
  vi.advanceTimersByTime(1000); // the time limit
  await creation;
});
