import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { concurrently } from '../fixtures/concurrently.ts';
import { operationOf } from '../fixtures/contract.ts';
import { receive, send } from '../fixtures/http.ts';
import { disabledEndpoint } from '../fixtures/requests.ts';
import type { Service } from '../fixtures/service.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import type { TestAccount } from '../fixtures/test.ts';
import { allDelivered, createEndpoint, deliveries, eventOf, received, test, typesOf } from './endpoints.ts';
import { startHoldingReceiver, startReceiver } from './receiver.ts';

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
  await account.client.sendTestWebhook(path); // while the endpoint is idle
  await received(receiver, 2);
  await newShipment(account);
  await received(other, 1);
  expect(typesOf(other)).toEqual(['shipment.created']);
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
  await allDelivered(account, path, 2);
  expect(receiver.received.map(eventOf)).toEqual([first.event, first.event]);
});

test('repeated deliveries of one shipment are sent one after the other', async ({ account }) => {
  await using receiver = await startHoldingReceiver(2);
  const { path } = await createEndpoint(account, receiver.url);
  await newShipment(account);
  const [first = expect.unreachable()] = await deliveries(account, path, ([only]) => only?.status === 'delivered');
  await account.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  for (let count = 0; count < 2; count++) {
    await account.client.resendWebhookDelivery({ ...path, delivery_id: first.id });
  }
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  const response = await receiver.held;
  await newShipment(account); // that of another shipment does not wait
  const others = await deliveries(account, path, ([last]) => last?.status === 'delivered');
  expect(others.filter(({ status }) => status === 'pending')).toHaveLength(2);
  expect(receiver.received).toHaveLength(3);
  response.writeHead(204).end();
  await received(receiver, 4);
  expect(receiver.received.map((webhook) => eventOf(webhook).id === first.event.id)).toEqual([true, true, false, true]);
});

type Manual = 'sendTestWebhook' | 'resendWebhookDelivery';

/** Sends a request that queues a delivery, without the repetitions of the client. */
const queue = async (
  { baseUrl }: Service,
  { key }: TestAccount,
  path: Record<string, string>,
  { by = 'sendTestWebhook', headers = {} }: { by?: Manual; headers?: Record<string, string> } = {},
) => receive(await send(baseUrl, operationOf(by), { key, path, headers }));

test('concurrent requests queue exactly 100 pending deliveries of an endpoint', async ({ service, account }) => {
  const path = await disabledEndpoint(account);
  const first = await account.client.sendTestWebhook(path);
  const resend = { by: 'resendWebhookDelivery' } as const;
  const results = await concurrently(120, (n) =>
    n % 2 ? queue(service, account, path) : queue(service, account, { ...path, delivery_id: first.id }, resend),
  );
  expect(results.map(({ status, code }) => code ?? status).sort()).toEqual([
    ...Array(99).fill(202),
    ...Array(21).fill('delivery_limit_reached'),
  ]);
  const other = await disabledEndpoint(account);
  expect((await queue(service, account, other)).status).toBe(202); // the limit is that of an endpoint
  const { rows } = await sql`select from webhook_deliveries
    where account_id = ${account.id} and status = 'pending'`.execute(service.db);
  expect(rows).toHaveLength(101);
});

test('a request refused for 100 pending deliveries succeeds when one is finished', async ({ service, account }) => {
  await using receiver = await startReceiver();
  const { path } = await createEndpoint(account, receiver.url);
  await account.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  await concurrently(100, () => queue(service, account, path));
  const headers = { 'idempotency-key': crypto.randomUUID() };
  expect(await queue(service, account, path, { headers })).toMatchObject({
    status: 429,
    code: 'delivery_limit_reached',
  });
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await received(receiver, 100);
  await deliveries(account, path, (all) => all.every(({ status }) => status === 'delivered'));
  expect((await queue(service, account, path, { headers })).status).toBe(202); // the refusal was not stored
  await received(receiver, 101);
  expect((await concurrently(99, () => queue(service, account, path))).every(({ status }) => status === 202)).toBe(
    true,
  );
});

test('Retry-After of too many pending deliveries leads to the next attempt', async ({ service, account }) => {
  const path = await disabledEndpoint(account);
  await concurrently(100, () => queue(service, account, path));
  const setAttempts = (ahead: number, limit: number) =>
    sql`update webhook_deliveries set next_attempt_at = ${new Date(Date.now() + ahead * 1000)} where id in (
      select id from webhook_deliveries where account_id = ${account.id} order by id limit ${limit})`.execute(
      service.db,
    );
  for (const [next, others, seconds] of [
    [30, 600, 30],
    [7200, 9000, 3600], // at most an hour
    [-5, 600, 1],
  ] as const) {
    await setAttempts(others, 100);
    await setAttempts(next, 1);
    const { status, headers } = await queue(service, account, path);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(seconds);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(Math.max(1, seconds - 15));
  }
});

test('replayWebhookEvents sends the events of a time range again', async ({ account }) => {
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
});

/** Stores 500 events of seven shipments, one in each millisecond. Every tenth is of another type. */
async function manyEvents({ db }: Pick<Service, 'db'>, { id }: Pick<TestAccount, 'id'>, start: number): Promise<void> {
  const shipments = Array.from({ length: 7 }, () => randomUUID());
  await sql`
    insert into events (account_id, number, created_at, type, shipment_id, data)
    select ${id}, nextval('event_numbers'),
      -- Half of them are at the end of the millisecond: JavaScript does not see the microseconds.
      ${new Date(start)}::timestamptz + make_interval(secs => i / 1000.0 + case when i % 2 = 0 then 0.0009 else 0 end),
      case when i % 10 = 9 then 'shipment.cancelled' else 'shipment.created' end,
      (${shipments}::uuid[])[1 + i % 7], jsonb_build_object('n', i)
    from generate_series(0, 499) i`.execute(db);
}

test('replayWebhookEvents sends a range of several pages, without its end', async ({ service, account }) => {
  await using receiver = await startReceiver();
  const start = Date.now() - 3_600_000;
  await manyEvents(service, account, start);
  const { path } = await createEndpoint(account, receiver.url, ['shipment.created']);
  /** The numbers of the events that the receiver gets for a range. */
  const replayed = async (from: number, to: number, count: number): Promise<number[]> => {
    const { length } = receiver.received;
    await account.client.replayWebhookEvents({ ...path, from: new Date(start + from), to: new Date(start + to) });
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
  expect(await replayed(4, 5, 1)).toEqual([4]);
  expect(await replayed(5, 6, 1)).toEqual([5]);
  expect(new Set(await replayed(497, 1000, 2))).toEqual(new Set([497, 498])); // two shipments: any order
});

test('an unfinished replay is extended, with what is between the two ranges', async ({ service, account }) => {
  await using receiver = await startReceiver();
  const start = Date.now() - 3_600_000;
  await manyEvents(service, account, start);
  const { path } = await createEndpoint(account, receiver.url);
  await account.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  for (const [from, to] of [
    [30, 40],
    [10, 20],
  ] as const) {
    const body = { from: new Date(start + from), to: new Date(start + to) };
    await account.client.replayWebhookEvents({ ...path, ...body });
  }
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await received(receiver, 30);
  const numbers = receiver.received.map(({ body }) => JSON.parse(body).data.n as number);
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => 10 + index));
});
