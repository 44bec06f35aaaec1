import { expect } from 'vitest';
import { concurrently } from '../fixtures/concurrently.ts';
import { operationOf } from '../fixtures/contract.ts';
import { receive, send } from '../fixtures/http.ts';
import { closedUrl, disabledEndpoint } from '../fixtures/requests.ts';
import { test } from '../fixtures/test.ts';
import { test as testOfMock } from '../mock/targets.ts';

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
    ...{ url: closedUrl, description: 'Shop', types: ['shipment.created'] },
  });
  const patch = async (body: object, type: string) => {
    const sent = { key, path: { webhook_endpoint_id: id }, headers: { 'content-type': type }, body };
    return receive(await send(service.baseUrl, operationOf('updateWebhookEndpoint'), sent));
  };
  expect(await patch({ description: null }, 'application/merge-patch+json')).toMatchObject({
    ...{ status: 200, body: { description: '', types: ['shipment.created'] } },
  });
  expect(await patch({ types: null }, 'application/json; charset=utf-8')).toMatchObject({
    ...{ status: 200, body: { types: [] } },
  });
});

testOfMock('the mock accepts the ETag that a read and a change return', async ({ open }) => {
  const { client } = await open('the mock with state');
  const path = { webhook_endpoint_id: 'whe_01kjpx8p02e0n8wk1xmhc3p7vd' };
  const { etag } = await client.getWebhookEndpoint(path).withResponse();
  const changed = await client.updateWebhookEndpoint({ ...path, description: 'A' }, { ifMatch: etag }).withResponse();
  await client.deleteWebhookEndpoint(path, { ifMatch: changed.etag });
  const refused = client.deleteWebhookEndpoint(path, { ifMatch: '"other"' });
  await expect(refused).rejects.toMatchObject({ status: 412 });
});
