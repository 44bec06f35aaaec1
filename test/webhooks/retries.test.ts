import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import type { TestAccount } from '../fixtures/test.ts';
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
import { startHoldingReceiver, startReceiver } from './receiver.ts';

test('a failed delivery is repeated, and later events of the shipment wait', async ({ service, account }) => {
  const failures = 3;
  await using receiver = await startReceiver((response, _webhook, count) =>
    response.writeHead(count <= failures ? 500 : 204).end('not now'),
  );
  const { path } = await createEndpoint(account, receiver.url);
  const { tracking_number } = await newShipment(account);
  await recordDispatched(account, tracking_number);
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
  expect(typesOf(receiver)).toEqual([...Array(failures + 1).fill('shipment.created'), 'tracking.status_reached']);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
});

test('a delivery is repeated when the Retry-After of its receiver has passed', async ({ account }) => {
  await using receiver = await startReceiver((response) => response.writeHead(429, { 'retry-after': '3600' }).end());
  const { path } = await createEndpoint(account, receiver.url);
  await newShipment(account);
  const [delivery = expect.unreachable()] = await deliveries(account, path, ([only]) => only?.attempts === 1);
  const { next_attempt_at = '', last_attempt = expect.unreachable() } = delivery;
  const pause = Date.parse(next_attempt_at) - Date.parse(last_attempt.timestamp);
  expect(pause).toBeGreaterThanOrEqual(3_600_000);
});

test('the last failed attempt of a delivery is followed by the next event', async ({ service, account }) => {
  await using receiver = await startReceiver((response, webhook) =>
    response.writeHead(eventOf(webhook).type === 'shipment.created' ? 500 : 204).end(),
  );
  const { path } = await createEndpoint(account, receiver.url);
  await shipmentIn(account, 'dispatched');
  await deliveries(account, path, ([, first]) => first?.attempts === 1);
  for (const [attempts, status] of [
    [14, 'pending'],
    [15, 'failed'],
  ] as const) {
    await sql`update webhook_deliveries set attempts = ${attempts - 1}
      where account_id = ${account.id} and attempts > 0`.execute(service.db);
    await endPauses(service, account);
    await deliveries(account, path, ([, first]) => first?.attempts === attempts && first.status === status);
  }
  await deliveries(account, path, ([second]) => second?.status === 'delivered');
  const types = typesOf(receiver);
  expect(types.length).toBeGreaterThanOrEqual(4); // on a busy machine a pause may have ended by itself
  expect(types.indexOf('tracking.status_reached')).toBe(types.length - 1);
});

test('later events of a shipment wait while an earlier one is sent again', async ({ account }) => {
  await using receiver = await startHoldingReceiver(2);
  const { path } = await createEndpoint(account, receiver.url);
  const { tracking_number } = await newShipment(account);
  const [first = expect.unreachable()] = await deliveries(account, path, ([only]) => only?.status === 'delivered');
  await account.client.resendWebhookDelivery({ ...path, delivery_id: first.id });
  const response = await receiver.held;
  await recordDispatched(account, tracking_number);
  await newShipment(account); // of another one, so that the instance has looked for deliveries that are due
  await received(receiver, 3);
  const [, later] = await deliveries(account, path, (all) => all.length === 4);
  expect(later).toMatchObject({ status: 'pending', attempts: 0, event: { type: 'tracking.status_reached' } });
  expect(later).not.toHaveProperty('next_attempt_at');
  response.writeHead(204).end();
  await received(receiver, 4);
  expect(typesOf(receiver)).toEqual([...Array(3).fill('shipment.created'), 'tracking.status_reached']);
});

test('a repeated delivery does not release an event that waits for another retry', async ({ service, account }) => {
  let isBroken = false;
  await using receiver = await startReceiver((response, webhook) =>
    response.writeHead(isBroken && eventOf(webhook).type !== 'shipment.created' ? 500 : 204).end(),
  );
  const { path } = await createEndpoint(account, receiver.url);
  const { tracking_number } = await newShipment(account);
  const [first = expect.unreachable()] = await deliveries(account, path, ([only]) => only?.status === 'delivered');
  isBroken = true;
  await recordDispatched(account, tracking_number);
  await deliveries(account, path, ([second]) => second?.attempts === 1);
  const body = { status: 'picked_up' as const, timestamp: new Date() };
  await account.client.recordTrackingEvent({ tracking_number, ...body });
  await deliveries(account, path, (all) => all.length === 3);
  await account.client.resendWebhookDelivery({ ...path, delivery_id: first.id });
  const [resent, third, second] = await deliveries(account, path, ([last]) => last?.status === 'delivered');
  expect(resent?.event).toEqual(first.event);
  expect(second).toMatchObject({ status: 'pending', attempts: 1, next_attempt_at: expect.any(String) });
  expect(third).toMatchObject({ status: 'pending', attempts: 0 });
  expect(third).not.toHaveProperty('next_attempt_at');
  isBroken = false;
  await endPauses(service, account);
  await deliveries(account, path, (all) => all.every(({ status }) => status === 'delivered'));
  const order = receiver.received.map((webhook) => eventOf(webhook).data.tracking?.status);
  expect(order.slice(-2)).toEqual(['dispatched', 'picked_up']);
});

test('an event is sent when the earlier one of its shipment expired between attempts', async ({ service, account }) => {
  await using receiver = await startReceiver((response, _, count) => response.writeHead(count === 1 ? 500 : 204).end());
  const { path } = await createEndpoint(account, receiver.url);
  await shipmentIn(account, 'dispatched');
  await deliveries(account, path, ([, first]) => first?.attempts === 1);
  await sql`delete from events where account_id = ${account.id} and type = 'shipment.created'`.execute(service.db);
  await endPauses(service, account);
  await allDelivered(account, path, 1);
  expect(typesOf(receiver)).toEqual(['shipment.created', 'tracking.status_reached']);
});

test('an event is sent when the earlier one expired while the endpoint was disabled', async ({ service, account }) => {
  await using receiver = await startReceiver((response, _, count) => response.writeHead(count === 1 ? 500 : 204).end());
  const { path } = await createEndpoint(account, receiver.url);
  await shipmentIn(account, 'dispatched');
  await deliveries(account, path, ([, first]) => first?.attempts === 1);
  await account.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  await sql`update webhook_deliveries set event_created_at = now() - interval '33 days'
    where account_id = ${account.id} and attempts = 1`.execute(service.db);
  await cleanUp({ ...service, retention: { positionDays: 90 } });
  await left(service, path);
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await allDelivered(account, path, 1);
});

test('an endpoint retains its newest 10,000 finished deliveries, and all pending ones', async ({
  service: { db },
  account,
}) => {
  await using receiver = await startReceiver();
  const { path } = await createEndpoint(account, receiver.url);
  await account.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  const id = uuidFromPublicId('whe', path.webhook_endpoint_id);
  // Every 100th is pending, also among the oldest.
  await sql`
    insert into webhook_deliveries (account_id, endpoint_id, id, event_number, event_created_at, type, order_key,
      status, attempts, next_attempt_at)
    select ${account.id}, ${id}, lpad(to_hex(i), 32, '0')::uuid, i, now(), 'shipment.created', gen_random_uuid(),
      case when i % 100 = 50 then 'pending' else 'delivered' end, 1, case when i % 100 = 50 then '2999-01-01Z'::timestamptz end
    from generate_series(1, 10200) i`.execute(db);
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await account.client.sendTestWebhook(path);
  const count = async () => {
    const { rows } = await sql<{ status: string; count: number; lowest: string }>`
      select status, count(*)::integer as count, min(id::text) as lowest from webhook_deliveries
      where account_id = ${account.id} group by status order by status`.execute(db);
    return rows;
  };
  const hex = (i: number) => expect.stringContaining(i.toString(16).padStart(12, '0'));
  await vi.waitFor(async () => {
    expect(await count()).toEqual([
      { status: 'delivered', count: 10_000, lowest: hex(101) }, // 10,098 and the test event, without the first 99
      { status: 'pending', count: 102, lowest: hex(50) },
    ]);
  }, waitTimeout);
});

const recordDispatched = (account: Pick<TestAccount, 'client'>, tracking_number: string) =>
  account.client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
