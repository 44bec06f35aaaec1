import { Resolver } from 'node:dns/promises';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { concurrently } from '../fixtures/concurrently.ts';
import { contractOperations, operationOf } from '../fixtures/contract.ts';
import { receive, send } from '../fixtures/http.ts';
import { isLong } from '../fixtures/long-form.ts';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { exchange } from '../fixtures/raw-http.ts';
import { closedUrl, disabledEndpoint, queuedDelivery } from '../fixtures/requests.ts';
import { startService } from '../fixtures/service.ts';
import { newAccount, test } from '../fixtures/test.ts';
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

test('createWebhookEndpoint and updateWebhookEndpoint store the canonical form of a URL', async ({ account }) => {
  const endpoint = await account.client.createWebhookEndpoint({ url: 'HTTP://127.0.0.1:9' });
  expect(endpoint.url).toBe('http://127.0.0.1:9/');
  const path = { webhook_endpoint_id: endpoint.id };
  const { url } = await account.client.updateWebhookEndpoint({ ...path, url: 'https://BÜCHER.example.com/ü' });
  expect(url).toBe('https://xn--bcher-kva.example.com/%C3%BC');
  expect((await account.client.getWebhookEndpoint(path)).url).toBe(url);
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

test('a change with the ETag of an earlier version returns 412 and changes nothing', async ({
  account: { client },
}) => {
  const path = await disabledEndpoint({ client });
  const read = () => client.getWebhookEndpoint(path).withResponse();
  const { etag: first } = await read();
  const changed = await client.updateWebhookEndpoint({ ...path, description: 'A' }, { ifMatch: first }).withResponse();
  expect(changed.etag).not.toBe(first);
  expect((await read()).etag).toBe(changed.etag);
  for (const ifMatch of [first, `W/${changed.etag}`, '"other"', `"other", ${first}`]) {
    const refused = { status: 412, code: 'precondition_failed' };
    await expect(client.updateWebhookEndpoint({ ...path, description: 'B' }, { ifMatch })).rejects.toMatchObject(
      refused,
    );
    await expect(client.deleteWebhookEndpoint(path, { ifMatch })).rejects.toMatchObject(refused);
  }
  expect((await read()).etag).toBe(changed.etag);
  for (const ifMatch of [`"other", ${changed.etag}`, '*', null])
    await client.updateWebhookEndpoint({ ...path, description: 'A' }, { ifMatch });
  await client.deleteWebhookEndpoint(path, { ifMatch: (await read()).etag });
  await expect(client.deleteWebhookEndpoint(path, { ifMatch: '*' })).rejects.toMatchObject({ status: 404 });
});

test('of concurrent changes of the same version one succeeds', async ({ account: { client } }) => {
  const path = await disabledEndpoint({ client });
  const { etag } = await client.getWebhookEndpoint(path).withResponse();
  const statuses = await concurrently(4, (n) =>
    client
      .updateWebhookEndpoint({ ...path, description: `Change ${n}` }, { ifMatch: etag })
      .withResponse()
      .then(
        ({ status }) => status,
        ({ status }) => status,
      ),
  );
  expect(statuses.sort()).toEqual([200, 412, 412, 412]);
});

test('null in a merge patch restores the default of a field', async ({ service, account: { client, key } }) => {
  const { id } = await client.createWebhookEndpoint({
    url: closedUrl,
    description: 'Shop',
    types: ['shipment.created'],
  });
  const patch = async (body: object, type: string) => {
    const sent = { key, path: { webhook_endpoint_id: id }, headers: { 'content-type': type }, body };
    return receive(await send(service.baseUrl, operationOf('updateWebhookEndpoint'), sent));
  };
  expect(await patch({ description: null }, 'application/merge-patch+json')).toMatchObject({
    status: 200,
    body: { description: '', types: ['shipment.created'] },
  });
  expect(await patch({ types: null }, 'application/json; charset=utf-8')).toMatchObject({
    status: 200,
    body: { types: [] },
  });
});

const bodies: Record<string, object> = {
  updateWebhookEndpoint: { status: 'enabled' },
  replayWebhookEvents: { from: '2026-03-02T09:00:00Z', to: '2026-03-02T11:00:00Z' },
};
const rounds = isLong ? 15 : 5;

test.for(contractOperations.filter(({ path }) => path.startsWith('/webhook_endpoints/')))(
  '$id returns 404 or succeeds while its webhook endpoint is deleted',
  async (operation, { service, account }) => {
    const request = (path: Record<string, string>) => ({ key: account.key, path, body: bodies[operation.id] ?? {} });
    const deletion = contractOperations.find(({ id }) => id === 'deleteWebhookEndpoint') ?? expect.unreachable();
    const found = new Set<number>();
    for (let round = 0; round < rounds; round++) {
      const path = await queuedDelivery(account);
      const sent = [operation, operation, deletion, operation, operation];
      const responses = await Promise.all(sent.map((each) => send(service.baseUrl, each, request(path))));
      for (const { status } of responses) found.add(status);
      expect((await send(service.baseUrl, operation, request(path))).status).toBe(404);
    }
    expect([...found].filter((status) => status >= 300 && status !== 404)).toEqual([]);
  },
);

test('a webhook URL whose name is looked up occupies no connection to PostgreSQL', async () => {
  notWithCluster('it replaces the resolver of the service');
  await using service = await startService({ DATABASE_POOL_SIZE: '1' });
  const account = await newAccount(service);
  await account.client.listShipments(); // its key is cached
  const lookedUp = Promise.withResolvers<void>();
  vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(() => {
    lookedUp.resolve();
    return new Promise(() => {});
  });
  vi.useFakeTimers({ toFake: ['setTimeout'] }); // the look-up does not end by its time limit
  try {
    const creation = account.client.createWebhookEndpoint({ url: 'https://slow.example.com/hook' });
    await lookedUp.promise;
    await newAccount(service).then(({ client }) => client.listShipments());
    vi.advanceTimersByTime(1000); // the time limit
    await creation;
  } finally {
    vi.useRealTimers();
    vi.restoreAllMocks();
  }
});
