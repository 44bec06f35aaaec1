import { verifyWebhook } from '@waybill/client/webhooks';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { expect, vi } from 'vitest';
import { concurrently } from '../fixtures/concurrently.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import {
  allDelivered,
  createEndpoint,
  deliveries,
  endPauses,
  eventOf,
  left,
  received,
  test,
  typesOf,
} from './endpoints.ts';
import { startReceiver } from './receiver.ts';

test('an endpoint gets each event of its account, signed, as listEvents returns it', async ({ service, account }) => {
  await using receiver = await startReceiver();
  await newShipment(account); // before the endpoint
  const { secret, path } = await createEndpoint(account, receiver.url);
  await newShipment(await newAccount(service)); // of another account
  const { id } = await shipmentIn(account, 'dispatched');
  await received(receiver, 2);
  const events = receiver.received.map(eventOf);
  expect(events.map(({ type }) => type)).toEqual(['shipment.created', 'tracking.status_reached']);
  expect(events[0]?.data).toMatchObject({ shipment: { id } });
  const { data } = await account.client.listEvents();
  expect(events).toEqual(data.slice(1));
  for (const { body, headers } of receiver.received) {
    expect(headers['webhook-id']).toBe(JSON.parse(body).id);
    expect(headers['content-type']).toBe('application/json');
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(await verifyWebhook(body, headers, secret)).toEqual(JSON.parse(body));
  }
  const [last, first] = await deliveries(account, path, (all) => all.every(({ status }) => status === 'delivered'));
  expect([first?.event, last?.event]).toEqual(events);
  expect(first).toMatchObject({
    attempts: 1,
    last_attempt: { url: receiver.url, response: { status: 204, body: '' } },
  });
  expect(first).not.toHaveProperty('next_attempt_at');
});

test('a slow endpoint delays no other one', async ({ account }) => {
  let [open, most] = [0, 0];
  await using slow = await startReceiver((response) => {
    most = Math.max(most, ++open);
    response.on('close', () => open--); // without a response: the attempt has ended
  });
  await using fast = await startReceiver();
  await createEndpoint(account, slow.url);
  await createEndpoint(account, fast.url);
  await concurrently(20, () => newShipment(account));
  await received(slow, 16);
  await received(fast, 20);
  expect(most).toBeLessThanOrEqual(16);
});

test('ten deliveries permit an endpoint one more request at a time', async ({ account }) => {
  // Responds to the first 40, and to no other.
  await using receiver = await startReceiver(
    (response, _, count) => void (count <= 40 && response.writeHead(204).end()),
  );
  await createEndpoint(account, receiver.url);
  await concurrently(70, () => newShipment(account));
  await received(receiver, 40 + 16 + 4);
  expect(receiver.received).toHaveLength(60);
});

test('an endpoint that returns 410 is disabled, and other endpoints get an event about it', async ({ account }) => {
  await using gone = await startReceiver(410);
  await using other = await startReceiver();
  const { path } = await createEndpoint(account, gone.url, ['shipment.created']);
  await createEndpoint(account, other.url, ['webhook_endpoint.disabled']);
  await newShipment(account);
  await received(other, 1);
  const endpoint = await account.client.getWebhookEndpoint(path);
  expect(endpoint).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
  expect(other.received.map(eventOf)).toMatchObject([
    { type: 'webhook_endpoint.disabled', data: { webhook_endpoint: endpoint } },
  ]);
  await deliveries(account, path, ([only]) => only?.status === 'failed');
});

test('a week without a success disables an endpoint, and begins when it is enabled', async ({ service, account }) => {
  await using receiver = await startReceiver(500);
  const { path } = await createEndpoint(account, receiver.url, ['shipment.created']);
  const endpoint = () => account.client.getWebhookEndpoint(path);
  await newShipment(account);
  await deliveries(account, path, ([only]) => only?.attempts === 1);
  const failingSince = async (age: string) => {
    await vi.waitFor(async () => {
      // After the service has set it.
      const { numAffectedRows } = await sql`update webhook_endpoints set failing_since = now() - ${age}::interval
        where account_id = ${account.id} and failing_since is not null`.execute(service.db);
      expect(numAffectedRows).toBe(1n);
    }, waitTimeout);
    await endPauses(service, account);
  };
  await failingSince('6 days 23 hours');
  await deliveries(account, path, ([only]) => only?.attempts === 2);
  expect((await endpoint()).status).toBe('enabled');
  await failingSince('7 days 1 minute');
  await deliveries(account, path, ([only]) => only?.attempts === 3);
  const failing = { status: 'disabled', disabled_reason: 'failing' };
  await vi.waitFor(async () => expect(await endpoint()).toMatchObject(failing), waitTimeout);

  // The week begins again.
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await endPauses(service, account);
  await deliveries(account, path, ([only]) => only?.attempts === 4);
  expect((await endpoint()).status).toBe('enabled');
});

test('deleteWebhookEndpoint stops the deliveries', async ({ account }) => {
  await using receiver = await startReceiver(500);
  await using other = await startReceiver();
  const { path } = await createEndpoint(account, receiver.url);
  await newShipment(account);
  await received(receiver, 1);
  await account.client.deleteWebhookEndpoint(path);
  await createEndpoint(account, other.url);
  await newShipment(account);
  await received(other, 1);
  expect(receiver.received).toHaveLength(1);
  await expect(account.client.listWebhookDeliveries(path)).rejects.toMatchObject({ code: 'not_found' });
});

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
