import { verifyWebhook } from '@waybill/client/webhooks';
import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { expect, vi } from 'vitest';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { testWithOwnService } from '../fixtures/own-database.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { createEndpoint, deliveries, endPauses, eventOf, received } from './endpoints.ts';
import { startReceiver } from './receiver.ts';

/** A service with its own database: the services of other files would share its endpoints. */
const test = testWithOwnService;

test('every event of the account is sent to its endpoint, signed, as listEvents returns it', async ({
  service,
  account,
}) => {
  await using receiver = await startReceiver();
  await newShipment(account); // before the endpoint
  const { secret, path } = await createEndpoint(account, receiver.url);
  await newShipment(await newAccount(service)); // of another account
  const { id } = await shipmentIn(account, 'dispatched');
  await received(receiver, 2);
  const events = receiver.received.map(eventOf);
  expect(events.map(({ type }) => type)).toEqual(['shipment.created', 'tracking.status_reached']);
  expect(events[0]?.data.shipment?.id).toBe(id);
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

test('an endpoint with types gets only events of these types', async ({ account }) => {
  await using receiver = await startReceiver();
  await createEndpoint(account, receiver.url, ['shipment.cancelled']);
  const { id } = await shipmentIn(account, 'cancelled');
  await received(receiver, 1);
  expect(receiver.received.map(eventOf)).toMatchObject([{ type: 'shipment.cancelled', data: { shipment: { id } } }]);
});

test('a failed delivery is attempted again with the same event id, and later events of the shipment wait', async ({
  service,
  account,
}) => {
  const failures = 3;
  await using receiver = await startReceiver((response, _webhook, count) =>
    response.writeHead(count <= failures ? 500 : 204).end('not now'),
  );
  const { path } = await createEndpoint(account, receiver.url);
  const { tracking_number } = await newShipment(account);
  await account.client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
  for (let count = 1; count <= failures; count++) {
    const [later, earlier] = await deliveries(
      account,
      path,
      (all) => all.at(-1)?.attempts === count && all.length === 2,
    );
    expect(earlier).toMatchObject({
      status: 'pending',
      last_attempt: { response: { status: 500, body: 'not now' } },
      next_attempt_at: expect.any(String),
    });
    expect(later).toMatchObject({ status: 'pending', attempts: 0 });
    expect(later).not.toHaveProperty('next_attempt_at');
    await endPauses(service, account);
  }
  await received(receiver, failures + 2);
  const types = receiver.received.map((webhook) => eventOf(webhook).type);
  expect(types).toEqual([...Array(failures + 1).fill('shipment.created'), 'tracking.status_reached']);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
});

test('the pauses between attempts add up to three days, then the delivery fails and the next one follows', async ({
  service,
  account,
}) => {
  await using receiver = await startReceiver((response, webhook) =>
    response.writeHead(eventOf(webhook).type === 'shipment.created' ? 500 : 204).end(),
  );
  const { path } = await createEndpoint(account, receiver.url);
  await shipmentIn(account, 'dispatched');
  let total = 0;
  for (let attempts = 1; ; attempts++) {
    const [, first] = await deliveries(account, path, (all) => all[1]?.attempts === attempts);
    if (first?.status === 'failed') break;
    const { next_attempt_at = '', last_attempt } = first ?? {};
    total += Date.parse(next_attempt_at) - Date.parse(last_attempt?.timestamp ?? '');
    await endPauses(service, account);
  }
  expect(total / 3_600_000).toBeGreaterThan(70);
  expect(total / 3_600_000).toBeLessThan(80);
  await deliveries(account, path, ([second]) => second?.status === 'delivered');
});

test('an event is sent although the earlier one of its shipment expired while it was repeated', async ({
  service,
  account,
}) => {
  notWithCluster('it puts the clock of this process forward');
  await using receiver = await startReceiver((response, _, count) => response.writeHead(count === 1 ? 500 : 204).end());
  const { path } = await createEndpoint(account, receiver.url);
  await shipmentIn(account, 'dispatched');
  await deliveries(account, path, ([, first]) => first?.attempts === 1);
  await sql`update webhook_deliveries set event_created_at = now() - interval '31 days'
    where account_id = ${account.id} and attempts = 1`.execute(service.db);
  expect(await cleanUp(service.db, service.storage, 90)).toMatchObject({ webhookDeliveries: 1 });
  const now = performance.now.bind(performance);
  using _later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 600_000);
  await newShipment(account); // wakes the endpoint
  await deliveries(account, path, (all) => all.length === 2 && all.every(({ status }) => status === 'delivered'));
});

test('a slow endpoint delays no other one', async ({ account }) => {
  await using slow = await startReceiver(() => {}); // never responds
  await using fast = await startReceiver();
  await createEndpoint(account, slow.url);
  await createEndpoint(account, fast.url);
  await Promise.all(Array.from({ length: 20 }, () => newShipment(account)));
  await received(slow, 16);
  await received(fast, 20);
  expect(slow.received).toHaveLength(16);
});

test('an endpoint that returns 410 is disabled, and the account’s other endpoints get an event about it', async ({
  account,
}) => {
  await using gone = await startReceiver((response) => response.writeHead(410).end());
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

test('an endpoint is disabled by the first failure after a week without a success', async ({ service, account }) => {
  await using receiver = await startReceiver((response) => response.writeHead(500).end());
  const { path } = await createEndpoint(account, receiver.url);
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
  expect((await account.client.getWebhookEndpoint(path)).status).toBe('enabled');
  await failingSince('7 days 1 minute');
  await deliveries(account, path, ([only]) => only?.attempts === 3);
  await vi.waitFor(async () => {
    const data = await account.client.getWebhookEndpoint(path);
    expect(data).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
  }, waitTimeout);
});

test('a disabled endpoint gets no events, and all of them when it is enabled again', async ({ account }) => {
  await using receiver = await startReceiver();
  await using other = await startReceiver();
  const { path } = await createEndpoint(account, receiver.url);
  await createEndpoint(account, other.url);
  await account.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  const { path: last } = await createEndpoint(account, other.url); // its events show that the update is known
  await shipmentIn(account, 'dispatched');
  await deliveries(account, last, (all) => all.length === 2);
  expect(receiver.received).toEqual([]);
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await received(receiver, 2);
  expect(receiver.received.map((webhook) => eventOf(webhook).type)).toEqual([
    'shipment.created',
    'tracking.status_reached',
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

test('sendTestWebhook sends an event to one endpoint only, whatever its types', async ({ account }) => {
  await using receiver = await startReceiver();
  await using other = await startReceiver();
  const { path } = await createEndpoint(account, receiver.url, ['shipment.cancelled']);
  await createEndpoint(account, other.url);
  const endpoint = await account.client.getWebhookEndpoint(path);
  const queued = await account.client.sendTestWebhook(path);
  expect(queued).toMatchObject({ status: 'pending', attempts: 0, event: { data: { webhook_endpoint: endpoint } } });
  await received(receiver, 1);
  expect(receiver.received.map(eventOf)).toEqual([queued.event]);
  const [delivered] = await deliveries(account, path, ([only]) => only?.status === 'delivered');
  expect(delivered?.id).toBe(queued.id);
  await newShipment(account);
  await received(other, 1);
  expect(other.received.map((webhook) => eventOf(webhook).type)).toEqual(['shipment.created']);
  const { data: events } = await account.client.listEvents();
  expect(events.map(({ type }) => type)).toEqual(['shipment.created']);
});

test('resendWebhookDelivery sends the event again with the same id', async ({ account }) => {
  await using receiver = await startReceiver();
  const { path } = await createEndpoint(account, receiver.url);
  await newShipment(account);
  const [first = expect.unreachable()] = await deliveries(account, path, ([only]) => only?.status === 'delivered');
  const again = await account.client.resendWebhookDelivery({ ...path, delivery_id: first.id });
  expect(again).toMatchObject({ status: 'pending', attempts: 0, event: first.event });
  expect(again.id).not.toBe(first.id);
  await received(receiver, 2);
  expect(receiver.received.map(eventOf)).toEqual([first.event, first.event]);
});

test('replayWebhookEvents sends the events of a time range again, in order', async ({ account }) => {
  await using receiver = await startReceiver();
  const { path } = await createEndpoint(account, receiver.url, ['shipment.created', 'tracking.status_reached']);
  await shipmentIn(account, 'dispatched');
  await shipmentIn(account, 'cancelled');
  await received(receiver, 3);
  const sent = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  const events = (await account.client.listEvents()).data.filter(({ id }) => sent.has(id));
  const [, second, third] = events.map(({ created_at }) => created_at);
  const body = { from: second ?? '', to: third ?? '' };
  const range = await account.client.replayWebhookEvents({ ...path, ...body });
  expect(range).toEqual(body);
  await received(receiver, 4);
  expect(receiver.received.map(eventOf)[3]).toEqual(events[1]);
  await account.client.replayWebhookEvents({ ...path, from: '2020-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z' });
  await received(receiver, 7);
  expect(
    receiver.received
      .slice(4)
      .map(eventOf)
      .sort((a, b) => a.id.localeCompare(b.id)),
  ).toEqual(events);
});

test('deleteWebhookEndpoint stops the deliveries', async ({ account }) => {
  await using receiver = await startReceiver((response) => response.writeHead(500).end());
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
  expect((await create().withResponse()).status).toBe(201);
});

test('createWebhookEndpoint and updateWebhookEndpoint refuse URLs of private networks', async ({ account }) => {
  const { path } = await createEndpoint(account, 'http://127.0.0.1:9/');
  for (const url of ['https://10.0.0.1/', 'http://shop.example.com/', 'https://[::ffff:7f00:1]/', 'https://a/']) {
    const refused = { status: 400, code: 'invalid_request', errors: [{ pointer: '/url', code: 'not_allowed' }] };
    await expect(account.client.createWebhookEndpoint({ url })).rejects.toMatchObject(refused);
    await expect(account.client.updateWebhookEndpoint({ ...path, url })).rejects.toMatchObject(refused);
  }
});
