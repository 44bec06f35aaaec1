import { describe, expect } from 'vitest';
import { concurrently } from '../fixtures/concurrently.ts';
import { disabledEndpoint } from '../fixtures/requests.ts';
import { test } from '../fixtures/test.ts';
import { targets, test as testOfTargets } from '../mock/targets.ts';

const whe = { webhook_endpoint_id: 'whe_01kjpx8p02e0n8wk1xmhc3p7vd' };

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

test('null in a merge patch restores the default of a field', async ({ account, service }) => {
  const { client, key } = account;
  const { id: webhook_endpoint_id } = await client.createWebhookEndpoint({
    ...{ url: 'http://127.0.0.1:9/hook', description: 'Shop', types: ['shipment.created'] },
  });
  const patch = (body: object, type: string) =>
    fetch(`${service.baseUrl}/webhook_endpoints/${webhook_endpoint_id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      body: JSON.stringify(body),
    }).then(async (response) => ({ status: response.status, body: await response.json() }));
  const merge = 'application/merge-patch+json';
  expect(await patch({ description: null }, merge)).toMatchObject({
    ...{ status: 200, body: { description: '', types: ['shipment.created'] } },
  });
  expect(await patch({ types: null }, 'application/json; charset=utf-8')).toMatchObject({
    status: 200,
    body: { types: [] },
  });
  for (const field of ['url', 'status']) {
    expect(await patch({ [field]: null }, merge)).toMatchObject({
      ...{ status: 400, body: { errors: expect.arrayContaining([expect.objectContaining({ pointer: `/${field}` })]) } },
    });
  }
  expect(await patch([], 'application/json-patch+json')).toMatchObject({ status: 415 });
  expect(await client.getWebhookEndpoint({ webhook_endpoint_id })).toMatchObject({ url: 'http://127.0.0.1:9/hook' });
});

describe.each(targets)('%s', (target) => {
  testOfTargets('accepts the ETag that a read and a change return', async ({ open }) => {
    const { client } = await open(target);
    const path = target === 'the service' ? await disabledEndpoint({ client }) : whe;
    const { etag } = await client.getWebhookEndpoint(path).withResponse();
    const changed = await client.updateWebhookEndpoint({ ...path, description: 'A' }, { ifMatch: etag }).withResponse();
    await client.deleteWebhookEndpoint(path, { ifMatch: changed.etag });
    const refused = client.deleteWebhookEndpoint(path, { ifMatch: '"other"' });
    await expect(refused).rejects.toMatchObject({ status: target === 'the service' ? 404 : 412 });
  });
});
