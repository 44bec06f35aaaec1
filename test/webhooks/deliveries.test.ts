import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { verifyWebhook } from '@waybill/client/webhooks';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { expect, vi } from 'vitest';
import { operationOf } from '../fixtures/contract/contract.ts';
import { concurrently } from '../fixtures/requests/concurrently.ts';
import { receive, send } from '../fixtures/requests/send.ts';
import { disabledEndpoint } from '../fixtures/requests/valid-requests.ts';
import { inTransit, newShipment, proofFor, shipmentIn, upload } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import {
  allDelivered,
  createEndpoint,
  deliveries,
  endPauses,
  eventOf,
  insertDeliveries,
  left,
  received,
  test,
  typesOf,
} from './endpoint-state.ts';
import { startHoldingReceiver, startReceiver } from './receiver.ts';

const inAnHour = () => new Date(Date.now() + 3_600_000);

test('an endpoint gets each event of its account, of every type and signed, as listEvents returns it', async ({
  service,
  account,
}) => {
  const { client } = account;
  await using receiver = await startReceiver();
  await using gone = await startReceiver(410);
  await newShipment(account); // before the endpoint
  const { secret, path } = await createEndpoint(account, receiver.url);
  const { path: gonePath } = await createEndpoint(account, gone.url, ['shipment.cancelled']);
  await newShipment(await newAccount(service)); // of another account
  const { id: shipment_id } = await newShipment(account);
  await client.updateShipment({ shipment_id, notes: 'Dock 4.' });
  await client.cancelShipment({ shipment_id, reason: 'No truck.' });
  const { tracking_number, id: moved } = await inTransit(account);
  const now = new Date();
  const positions = [{ lat: 47.1, lng: -122.2, updated_at: now }];
  await client.recordPositions({ tracking_number, positions, eta: inAnHour() });
  const raised = { tracking_number, code: 'traffic_delay', occurred_at: now } as const;
  const { id: exception_id } = await client.raiseException(raised);
  await client.resolveException({ tracking_number, exception_id, resolved_at: now });
  const mistaken = await client.raiseException(raised);
  await client.voidException({ tracking_number, exception_id: mistaken.id, reason: 'A wrong tap.' });
  await client.updateShipment({ shipment_id: moved, destination: { address: '312 Mill Lane' } });
  const document = await client.addDocument({
    tracking_number,
    upload_id: await upload(account, tracking_number, 'document'),
    type: 'photo',
  });
  await client.deleteDocument({ tracking_number, document_id: document.id });
  await client.submitProofOfDelivery({ tracking_number, ...(await proofFor(account, tracking_number)) });
  const { timeline } = await client.getTracking({ tracking_number });
  const event_id = timeline.find(({ status }) => status === 'delivered')?.id ?? '';
  await client.voidTrackingEvent({ tracking_number, event_id, reason: 'Another shipment.' });
  await deliveries(account, gonePath, ([only]) => only?.status === 'failed');
  const endpoint = await client.getWebhookEndpoint(gonePath);
  expect(endpoint).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
  const { event: testEvent } = await client.sendTestWebhook(path);

  const { data: events } = await client.listEvents({ limit: 100 });
  const disabled = { type: 'webhook_endpoint.disabled', data: { webhook_endpoint: endpoint } };
  expect(events).toContainEqual(expect.objectContaining(disabled));
  const all = await allDelivered(account, path, events.length);
  const sent = receiver.received.map(eventOf).sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(sent).toEqual([...events.slice(1), testEvent]);
  const types = new Set(sent.map(({ type }) => type));
  expect([...types].sort()).toEqual(contract.components.schemas.EventType['x-extensible-enum'].toSorted());
  expect(all.map(({ event }) => event)).toEqual(expect.arrayContaining(sent));
  expect(all[0]).toMatchObject({
    attempts: 1,
    last_attempt: { url: receiver.url, response: { status: 204, body: '' } },
  });
  expect(all[0]).not.toHaveProperty('next_attempt_at');
  for (const { body, headers } of receiver.received) {
    expect(headers).toMatchObject({ 'webhook-id': JSON.parse(body).id, 'content-type': 'application/json' });
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(await verifyWebhook(body, headers, secret)).toEqual(JSON.parse(body));
  }
});

test('an endpoint has 16 requests at a time, one more for ten deliveries, and its later events wait in the feed', async ({
  service,
  account,
}) => {
  const held: ServerResponse[] = [];
  let isSlow = true;
  await using slow = await startReceiver((response, _webhook, count) => {
    if (count > 40 && isSlow) held.push(response);
    else response.writeHead(204).end();
  });
  await using fast = await startReceiver();
  const { path } = await createEndpoint(account, slow.url);
  await createEndpoint(account, fast.url);
  await concurrently(70, () => newShipment(account));
  await received(slow, 40 + 16 + 4);
  await concurrently(20, () => newShipment(account));
  await received(fast, 90);
  expect(slow.received).toHaveLength(60);
  const { rows } = await sql`select from webhook_deliveries
    where endpoint_id = ${uuidFromPublicId('whe', path.webhook_endpoint_id)}`.execute(service.db);
  expect(rows.length).toBeLessThan(90);
  isSlow = false;
  for (const response of held) response.writeHead(204).end();
  await allDelivered(account, path, 90);
});

test('an event is delivered as the last change of its endpoint says', async ({ service, account }) => {
  const { client } = account;
  await using before = await startReceiver();
  await using after = await startReceiver();
  await using other = await startReceiver();
  const { path } = await createEndpoint(account, before.url);
  await createEndpoint(account, other.url);
  await newShipment(account);
  await received(before, 1);
  await client.updateWebhookEndpoint({ ...path, url: after.url, types: ['tracking.status_reached'] });
  await shipmentIn(account, 'dispatched');
  await received(after, 1);
  await client.updateWebhookEndpoint({ ...path, types: ['shipment.created', 'shipment.cancelled'] });
  await shipmentIn(account, 'cancelled');
  await received(after, 3);
  await client.sendTestWebhook(path); // whatever the types, and to no other endpoint
  await received(after, 4);
  const { secret } = await client.rotateWebhookSecret({ ...path, previous_valid_hours: 0 });
  await client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  await newShipment(account);
  await received(other, 6);
  await left(service, path);
  await allDelivered(account, path, 5);
  await client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await received(after, 5);
  const { body, headers } = after.received[4] ?? expect.unreachable();
  await verifyWebhook(body, headers, secret);
  expect(headers['webhook-signature']).not.toContain(' '); // the previous secret is not valid any more
  await client.deleteWebhookEndpoint(path);
  await newShipment(account);
  await received(other, 7);
  const expected = ['tracking.status_reached', 'shipment.created', 'shipment.cancelled', 'webhook_endpoint.test'];
  expect([typesOf(before), typesOf(after)]).toEqual([['shipment.created'], [...expected, 'shipment.created']]);
  expect(typesOf(other)).not.toContain('webhook_endpoint.test');
  await expect(client.listWebhookDeliveries(path)).rejects.toMatchObject({ code: 'not_found' });
});

test('a failed delivery is repeated after its Retry-After, and later events of the shipment wait', async ({
  service,
  account,
}) => {
  await using receiver = await startReceiver((response, _webhook, count) =>
    response.writeHead(count <= 2 ? 429 : 204, { 'retry-after': '3600' }).end('not now'),
  );
  const { path } = await createEndpoint(account, receiver.url);
  await shipmentIn(account, 'dispatched');
  for (let count = 1; count <= 2; count++) {
    const all = await deliveries(account, path, (all) => all[1]?.attempts === count);
    const [later, { next_attempt_at = '', last_attempt } = expect.unreachable()] = all;
    expect(last_attempt).toMatchObject({ response: { status: 429, body: 'not now' } });
    const pause = Date.parse(next_attempt_at) - Date.parse(String(last_attempt?.timestamp));
    expect(pause).toBeGreaterThanOrEqual(3_600_000);
    expect(later).toMatchObject({ status: 'pending', attempts: 0 });
    expect(later).not.toHaveProperty('next_attempt_at');
    await endPauses(service, account);
  }
  await received(receiver, 4);
  expect(typesOf(receiver)).toEqual([...Array(3).fill('shipment.created'), 'tracking.status_reached']);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
});

test('resendWebhookDelivery sends events of one shipment one after the other, and later ones wait', async ({
  account,
}) => {
  const { client } = account;
  await using receiver = await startHoldingReceiver(2);
  const { path } = await createEndpoint(account, receiver.url);
  const { tracking_number } = await newShipment(account);
  const [{ id: delivery_id, event }] = await allDelivered(account, path, 1);
  await client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  const resend = () => client.resendWebhookDelivery({ ...path, delivery_id });
  const resent = [await resend(), await resend()];
  for (const each of resent) expect(each).toMatchObject({ status: 'pending', attempts: 0, event });
  expect(new Set([delivery_id, ...resent.map(({ id }) => id)]).size).toBe(3);
  await client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  const response = await receiver.held;
  await client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
  await newShipment(account); // that of another one does not wait
  const [, later] = await deliveries(account, path, (all) => all.length === 5 && all[0]?.status === 'delivered');
  expect(later).toMatchObject({ status: 'pending', attempts: 0, event: { type: 'tracking.status_reached' } });
  expect(later).not.toHaveProperty('next_attempt_at');
  expect(receiver.received).toHaveLength(3);
  response.writeHead(204).end();
  await allDelivered(account, path, 5);
  const ids = receiver.received.map((webhook) => eventOf(webhook).id);
  expect(ids.map((id) => id === event.id)).toEqual([true, true, false, true, false]);
  expect(typesOf(receiver).at(-1)).toBe('tracking.status_reached');
});

test('an endpoint retains its newest 10,000 finished deliveries, and all pending ones', async ({
  service: { db },
  account,
}) => {
  await using receiver = await startReceiver();
  const { path } = await createEndpoint(account, receiver.url);
  await account.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  const endpoint = { accountId: account.id, endpointId: uuidFromPublicId('whe', path.webhook_endpoint_id) };
  // Every 100th is pending, also among the oldest.
  await insertDeliveries(endpoint, [1, 10_200], {
    id: sql`lpad(to_hex(i), 32, '0')::uuid`,
    status: sql`case when i % 100 = 50 then 'pending' else 'delivered' end`,
    next_attempt_at: sql`case when i % 100 = 50 then '2999-01-01Z'::timestamptz end`,
  }).execute(db);
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await account.client.sendTestWebhook(path);
  const hex = (i: number) => expect.stringContaining(i.toString(16).padStart(12, '0'));
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select status, count(*)::integer as count, min(id::text) as lowest from webhook_deliveries
      where account_id = ${account.id} group by status order by status`.execute(db);
    expect(rows).toEqual([
      { status: 'delivered', count: 10_000, lowest: hex(101) }, // 10,098 and the test event, without the first 99
      { status: 'pending', count: 102, lowest: hex(50) },
    ]);
  }, waitTimeout);
});

test('requests queue up to 100 pending deliveries of an endpoint, and further ones when some are finished', async ({
  service,
  account,
}) => {
  await using receiver = await startReceiver();
  const { path } = await createEndpoint(account, receiver.url);
  await account.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  const delivery_id = (await account.client.sendTestWebhook(path)).id;
  // Without the repetitions of the client.
  type Operation = 'sendTestWebhook' | 'resendWebhookDelivery';
  const queue = async (operation: Operation, values: object, key: string = randomUUID()) => {
    const sent = { path: { ...path, delivery_id, ...values }, headers: { 'idempotency-key': key } };
    return receive(await send(service.baseUrl, operationOf(operation), { key: account.key, ...sent }));
  };
  const refused = { status: 429, code: 'delivery_limit_reached' };
  const results = await concurrently(120, (n) => queue(n % 2 ? 'sendTestWebhook' : 'resendWebhookDelivery', {}));
  expect(results.map(({ code, status }) => code ?? status).sort()).toEqual([
    ...Array(99).fill(202),
    ...Array(21).fill(refused.code),
  ]);
  const pending = sql`from webhook_deliveries where account_id = ${account.id} and status = 'pending'`;
  expect((await sql`select ${pending}`.execute(service.db)).rows).toHaveLength(100);
  expect((await queue('sendTestWebhook', await disabledEndpoint(account))).status).toBe(202);

  // Retry-After leads to the next attempt, at most an hour later.
  const endpointId = uuidFromPublicId('whe', path.webhook_endpoint_id);
  const setNextAttempts = (seconds: number, limit: number) =>
    sql`update webhook_deliveries set next_attempt_at = now() + make_interval(secs => ${seconds}::integer) where id in (
      select id ${pending} and endpoint_id = ${endpointId} order by id limit ${limit})`.execute(service.db);
  for (const [next, expected] of [[30, 30] as const, [7200, 3600] as const, [-5, 1] as const]) {
    await setNextAttempts(9000, 100);
    await setNextAttempts(next, 1);
    const { headers, ...response } = await queue('sendTestWebhook', {}, 'refused');
    expect(response).toMatchObject(refused);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(expected);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(Math.max(1, expected - 15));
  }
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await endPauses(service, account);
  await received(receiver, 100);
  await deliveries(account, path, (all) => all.every(({ status }) => status === 'delivered'));
  expect((await queue('sendTestWebhook', {}, 'refused')).status).toBe(202); // the refusal was not stored
  await received(receiver, 101);
});

test('each secret signs for its own hours after several rotations, five at most, and only the new one with 0', async ({
  account,
}) => {
  await using receiver = await startReceiver();
  const { path, secret } = await createEndpoint(account, receiver.url);
  const rotate = async (hours?: number) =>
    (await account.client.rotateWebhookSecret({ ...path, previous_valid_hours: hours })).secret;
  const secrets = [secret, await rotate(), await rotate(1), await rotate(24), await rotate()];
  // The first one ends in an hour.
  const retryAfter = expect.toSatisfy((ms: number) => ms > 3_000_000 && ms <= 3_600_000);
  await expect(rotate()).rejects.toMatchObject({ status: 429, code: 'secret_limit_reached', retryAfter });
  await account.client.sendTestWebhook(path);
  await received(receiver, 1);
  const newest = await rotate(0);
  await account.client.sendTestWebhook(path);
  await received(receiver, 2);
  const [first = expect.unreachable(), second = expect.unreachable()] = receiver.received;
  for (const each of secrets) await verifyWebhook(first.body, first.headers, each);
  await verifyWebhook(second.body, second.headers, newest);
  expect(second.headers['webhook-signature']).not.toContain(' ');
});

test('replayWebhookEvents sends a range of several pages without its end, and several apart', async ({
  service,
  account,
}) => {
  await using receiver = await startReceiver();
  const start = Date.now() - 3_600_000;
  const shipments = Array.from({ length: 7 }, () => randomUUID());
  // 500 events of seven shipments, one in each millisecond. Every tenth is of another type.
  await sql`
    insert into events (account_id, number, created_at, type, shipment_id, data)
    select ${account.id}, nextval('event_numbers'),
      -- Half of them are at the end of the millisecond: JavaScript does not see the microseconds.
      ${new Date(start)}::timestamptz + make_interval(secs => i / 1000.0 + case when i % 2 = 0 then 0.0009 else 0 end),
      case when i % 10 = 9 then 'shipment.cancelled' else 'shipment.created' end,
      (${shipments}::uuid[])[1 + i % 7], jsonb_build_object('n', i)
    from generate_series(0, 499) i`.execute(service.db);
  const { path } = await createEndpoint(account, receiver.url, ['shipment.created']);
  const replay = (from: number, to: number) =>
    account.client.replayWebhookEvents({ ...path, from: new Date(start + from), to: new Date(start + to) });
  /** The numbers of the events that the receiver gets for a range. */
  const replayed = async (from: number, to: number, count: number): Promise<number[]> => {
    const { length } = receiver.received;
    await replay(from, to);
    await received(receiver, length + count);
    return receiver.received.slice(length).map(({ body }) => JSON.parse(body).data.n);
  };
  const wanted = (from: number, to: number): number[] =>
    Array.from({ length: to - from }, (_, index) => from + index).filter((n) => n % 10 !== 9);

  const numbers = await replayed(10, 490, 432);
  for (let shipment = 0; shipment < 7; shipment++) {
    const ofShipment = (n: number): boolean => n % 7 === shipment;
    expect(numbers.filter(ofShipment)).toEqual(wanted(10, 490).filter(ofShipment)); // in order, each once
  }
  expect([await replayed(4, 5, 1), await replayed(5, 6, 1)]).toEqual([[4], [5]]);
  expect(new Set(await replayed(497, 1000, 2))).toEqual(new Set([497, 498])); // two shipments: any order

  await account.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  for (const from of [30, 10, 10]) await replay(from, from + 10); // the third one waits already
  const { length } = receiver.received;
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await received(receiver, length + 18);
  await replayed(0, 1, 1); // what would follow the 18
  const apart = receiver.received.slice(length, -1).map(({ body }) => JSON.parse(body).data.n as number);
  expect(apart.sort((a, b) => a - b)).toEqual([...wanted(10, 20), ...wanted(30, 40)]);
});
