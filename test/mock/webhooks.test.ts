import { createClient } from '@waybill/client';
import { verifyWebhook } from '@waybill/client/webhooks';
import { startMock } from '@waybill/mock';
import { expect, onTestFinished, test, vi } from 'vitest';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { startReceiver } from '../webhooks/receiver.ts';

async function start() {
  const mock = await startMock({ stateful: true });
  onTestFinished(() => mock.close());
  return createClient({ baseUrl: mock.url, apiKey: 'wbk_mock', maxRetries: 0 });
}

async function receive(...options: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...options);
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  return receiver;
}

type Receiver = Awaited<ReturnType<typeof receive>>;
/** The types of the received events, in their order. */
const typesOf = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body).type);
const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 30_000 });

test('events of later changes are sent in their order, signed with the secret', async () => {
  const [client, receiver] = [await start(), await receive()];
  const endpoint = await client.createWebhookEndpoint({ url: receiver.url });
  const shipment = await client.createShipment(shipmentRequest());
  await client.cancelShipment({ shipment_id: shipment.id, reason: 'No truck.' });
  await waitFor(() => expect(typesOf(receiver)).toEqual(['shipment.created', 'shipment.cancelled']));
  const { body, headers } = receiver.received[0] ?? { body: '', headers: {} };
  expect(await verifyWebhook(body, headers, endpoint.secret)).toMatchObject({ data: { shipment } });
});

test('an endpoint receives only the types that it names, and nothing while it is disabled', async () => {
  const [client, receiver] = [await start(), await receive()];
  const body = { url: receiver.url, types: ['shipment.cancelled' as const] };
  const path = { webhook_endpoint_id: (await client.createWebhookEndpoint(body)).id };
  await client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  const cancel = async () => {
    const data = await client.createShipment(shipmentRequest());
    await client.cancelShipment({ shipment_id: data.id, reason: 'No truck.' });
    return data.id;
  };
  await cancel();
  await client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  const second = await cancel();
  await waitFor(() => expect(receiver.received).toHaveLength(1));
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ data: { shipment: { id: second } } });
});

test('a failed attempt is repeated, and later events wait for it', async () => {
  const client = await start();
  const receiver = await receive((response, _, count) => response.writeHead(count === 1 ? 500 : 204).end('Sorry.'));
  const endpoint = await client.createWebhookEndpoint({ url: receiver.url });
  const shipment = await client.createShipment(shipmentRequest());
  await client.cancelShipment({ shipment_id: shipment.id, reason: 'No truck.' });
  const path = { webhook_endpoint_id: endpoint.id };
  const deliveries = async () => (await client.listWebhookDeliveries(path)).data;
  await waitFor(() => expect(receiver.received.length).toBeGreaterThan(0));
  await vi.waitFor(
    async () => {
      const oldest = (await deliveries()).at(-1);
      if (!oldest?.last_attempt) throw new Error('not attempted yet');
      expect(oldest).toMatchObject({ last_attempt: { url: receiver.url } });
    },
    { timeout: 30_000 },
  );
  await waitFor(() => expect(receiver.received).toHaveLength(3));
  expect(typesOf(receiver)).toEqual(['shipment.created', 'shipment.created', 'shipment.cancelled']);
  await vi.waitFor(
    async () => {
      const statuses = (await deliveries()).map(({ status, attempts }) => [status, attempts]);
      if (statuses[0]?.[0] === 'pending') throw new Error('not stored yet');
      expect(statuses).toEqual([
        ['delivered', 1],
        ['delivered', 2],
      ]);
    },
    { timeout: 30_000 },
  );
});

test('a test event, a repeated delivery and a replay are sent', async () => {
  const [client, receiver] = [await start(), await receive()];
  const from = new Date();
  await client.createShipment(shipmentRequest());
  const path = { webhook_endpoint_id: (await client.createWebhookEndpoint({ url: receiver.url })).id };
  const delivery = await client.sendTestWebhook(path);
  await client.resendWebhookDelivery({ ...path, delivery_id: delivery.id });
  await client.replayWebhookEvents({ ...path, from, to: new Date(Date.now() + 1) });
  const sent = ['webhook_endpoint.test', 'webhook_endpoint.test', 'shipment.created'];
  await waitFor(() => expect(typesOf(receiver)).toEqual(sent));
});

test('while a secret is replaced, events are signed with both', async () => {
  const [client, receiver] = [await start(), await receive()];
  const endpoint = await client.createWebhookEndpoint({ url: receiver.url });
  const path = { webhook_endpoint_id: endpoint.id };
  const rotated = await client.rotateWebhookSecret(path);
  await client.sendTestWebhook(path);
  await waitFor(() => expect(receiver.received).toHaveLength(1));
  const { body, headers } = receiver.received[0] ?? { body: '', headers: {} };
  const verified = { type: 'webhook_endpoint.test' };
  expect(await verifyWebhook(body, headers, endpoint.secret)).toMatchObject(verified);
  expect(await verifyWebhook(body, headers, rotated.secret)).toMatchObject(verified);
});

test('nothing is sent to another machine, and closing the mock ends a pause between attempts', async () => {
  const mock = await startMock({ stateful: true });
  const client = createClient({ baseUrl: mock.url, apiKey: 'wbk_mock', maxRetries: 0 });
  const receiver = await receive((response) => response.writeHead(500).end());
  const other = (await client.createWebhookEndpoint({ url: 'https://203.0.113.1/hook' })).id;
  await client.createWebhookEndpoint({ url: receiver.url });
  await client.createShipment(shipmentRequest());
  await waitFor(() => expect(receiver.received).toHaveLength(1));
  const page = await client.listWebhookDeliveries({ webhook_endpoint_id: other });
  expect(page.data).toMatchObject([{ status: 'pending', attempts: 0 }]);
  await mock.close();
  expect(receiver.received).toHaveLength(1);
});
