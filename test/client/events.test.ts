import { createClient, type WaybillEvent } from '@waybill/client';
import { expect } from 'vitest';
import { newShipment } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

/** The next events of an iterator, which waits for them. */
async function take(events: AsyncGenerator<WaybillEvent, void>, count: number): Promise<WaybillEvent[]> {
  const taken: WaybillEvent[] = [];
  while (taken.length < count) {
    const { value } = await events.next();
    if (!value) expect.unreachable('the iterator must not end');
    taken.push(value);
  }
  return taken;
}

const shipmentIds = (events: WaybillEvent[]) => events.map(({ data }) => data.shipment?.id);

test('followEvents yields every event in order and resumes after an id', async ({ account }) => {
  const [first, second, third] = [await newShipment(account), await newShipment(account), await newShipment(account)];
  const start = account.client.followEvents({ limit: 2 });
  const all = await take(start, 3);
  expect(shipmentIds(all)).toEqual([first.id, second.id, third.id]);
  expect(all.map(({ type }) => type)).toEqual(Array(3).fill('shipment.created'));
  const resumed = account.client.followEvents({ after: all[0]?.id });
  expect(await take(resumed, 2)).toEqual(all.slice(1));
});

test('listEvents iterates over all pages, then ends', async ({ account }) => {
  const created = [await newShipment(account), await newShipment(account), await newShipment(account)];
  const events: WaybillEvent[] = [];
  for await (const event of account.client.listEvents({ limit: 2 })) events.push(event);
  expect(shipmentIds(events)).toEqual(created.map(({ id }) => id));
  expect(await account.client.listEvents({ after: events.at(-1)?.id }).toArray({ limit: 10 })).toEqual([]);
});

test('followEvents waits for the next event', async ({ account }) => {
  const controller = new AbortController();
  const events = account.client.followEvents({}, { signal: controller.signal });
  const waiting = take(events, 1);
  const { id } = await newShipment(account);
  expect(shipmentIds(await waiting)).toEqual([id]);
  const ended = expect(events.next()).rejects.toMatchObject({ name: 'AbortError' });
  controller.abort();
  await ended;
});

test('followEvents with types yields only events of these types', async ({ account }) => {
  await newShipment(account);
  const { id } = await newShipment(account);
  const waiting = account.client.followEvents({ types: ['shipment.cancelled'] }).next();
  await account.client.cancelShipment({ shipment_id: id, reason: 'No truck.' });
  expect(await waiting).toMatchObject({
    value: {
      type: 'shipment.cancelled',
      data: { shipment: { id, status: 'cancelled', cancellation_reason: 'No truck.' } },
    },
  });
});

test('streamEvents yields events as they are stored, across reconnections, and each once', async ({
  service,
  account,
}) => {
  const statuses: number[] = [];
  const client = createClient({
    baseUrl: service.baseUrl,
    apiKey: account.key,
    onResponse: ({ status }) => statuses.push(status),
  });
  const stream = client.streamEvents();
  const ids: string[] = [];
  // Streams of the tests' services end after a second.
  for (let count = 0; count < 4 || statuses.length < 2; count++) {
    ids.push((await newShipment(account)).id);
    expect((await take(stream, 1))[0]?.data.shipment?.id).toBe(ids.at(-1));
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  await stream.return();
});
