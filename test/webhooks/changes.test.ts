import { verifyWebhook } from '@waybill/client/webhooks';
import { expect } from 'vitest';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { allDelivered, createEndpoint, eventOf, left, received, test, typesOf } from './endpoints.ts';
import { startReceiver } from './receiver.ts';

test('an event of a disabled endpoint is delivered when it is enabled again', async ({ service, account }) => {
  await using receiver = await startReceiver();
  await using other = await startReceiver();
  const { path } = await createEndpoint(account, receiver.url);
  await createEndpoint(account, other.url);
  await newShipment(account);
  await Promise.all([received(receiver, 1), received(other, 1)]);
  await account.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  await newShipment(account);
  await received(other, 2);
  await left(service, path);
  expect(receiver.received).toHaveLength(1);
  expect((await account.client.listWebhookDeliveries(path)).data).toHaveLength(1);
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await received(receiver, 2);
  expect(receiver.received.map(eventOf)).toEqual(other.received.map(eventOf));
});

test('an event after the PATCH that changed a URL is delivered to the new URL only', async ({ account }) => {
  await using before = await startReceiver();
  await using after = await startReceiver();
  const { path } = await createEndpoint(account, before.url);
  await newShipment(account);
  await received(before, 1);
  await account.client.updateWebhookEndpoint({ ...path, url: after.url });
  await newShipment(account);
  await allDelivered(account, path, 2);
  expect([before.received.length, after.received.length]).toEqual([1, 1]);
});

test('an event after the PATCH that changed the types is delivered by the new types', async ({ account }) => {
  await using receiver = await startReceiver();
  const { path } = await createEndpoint(account, receiver.url);
  await newShipment(account);
  await received(receiver, 1);
  await account.client.updateWebhookEndpoint({ ...path, types: ['tracking.status_reached'] });
  await shipmentIn(account, 'dispatched');
  await received(receiver, 2);
  await account.client.updateWebhookEndpoint({ ...path, types: ['shipment.created', 'shipment.cancelled'] });
  await shipmentIn(account, 'cancelled');
  await received(receiver, 4);
  expect(typesOf(receiver)).toEqual([
    'shipment.created',
    'tracking.status_reached',
    'shipment.created',
    'shipment.cancelled',
  ]);
});

test('rotateWebhookSecret signs with both secrets until the previous one expires', async ({ account }) => {
  await using receiver = await startReceiver();
  const { secret: old, path } = await createEndpoint(account, receiver.url);
  const rotate = async (previous_valid_hours: number) =>
    (await account.client.rotateWebhookSecret({ ...path, previous_valid_hours })).secret;
  const test = async () => {
    const { length } = receiver.received;
    await account.client.sendTestWebhook(path);
    await received(receiver, length + 1);
    const { body, headers } = receiver.received.at(-1) ?? expect.unreachable();
    return (secret: string) =>
      verifyWebhook(body, headers, secret).then(
        ({ type }) => type,
        ({ code }) => code,
      );
  };
  const next = await rotate(24);
  const both = await test();
  expect(await Promise.all([both(old), both(next)])).toEqual(Array(2).fill('webhook_endpoint.test'));
  const last = await rotate(0);
  const one = await test();
  expect(await Promise.all([one(old), one(next), one(last)])).toEqual([
    'invalid_signature',
    'invalid_signature',
    'webhook_endpoint.test',
  ]);
});
