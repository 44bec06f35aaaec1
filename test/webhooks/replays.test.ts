import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Service } from '../fixtures/service.ts';
import { shipmentIn } from '../fixtures/shipments.ts';
import type { TestAccount } from '../fixtures/test.ts';
import { createEndpoint, eventOf, received, test } from './endpoints.ts';
import { startReceiver } from './receiver.ts';

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
    insert into events (account_id, position, created_at, type, shipment_id, data)
    select ${id}, nextval('event_positions'),
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
  expect(await replayed(497, 1000, 2)).toEqual([497, 498]);
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
