import { createClient, type WaybillEvent } from '@waybill/client';
import { describe, expect, vi } from 'vitest';
import { newShipment } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

/** The shipments of the next events of an iterator, which waits for them. */
async function take(events: AsyncGenerator<WaybillEvent, void>, count: number): Promise<(string | undefined)[]> {
  const ids: (string | undefined)[] = [];
  while (ids.length < count) {
    const { value } = await events.next();
    if (!value) expect.unreachable('the iterator must not end');
    ids.push(value.data.shipment?.id);
  }
  return ids;
}

describe.each(['followEvents', 'streamEvents'] as const)('%s', (method) => {
  test(`${method} yields each event after an id once, in order, also in another request`, async ({
    service,
    account,
  }) => {
    const ids = [(await newShipment(account)).id, (await newShipment(account)).id, (await newShipment(account)).id];
    const [first] = (await account.client.listEvents()).data;
    const attempts: number[] = [];
    const client = createClient({
      baseUrl: service.baseUrl,
      apiKey: account.key,
      onRequest: ({ attempt }) => attempts.push(attempt),
    });
    const events = client[method]({ after: first?.id });
    expect(await take(events, 2)).toEqual(ids.slice(1));
    const waiting = take(events, 1);
    // Streams of the tests' services end after a second.
    await vi.waitFor(() => expect(attempts.length).toBeGreaterThan(1), waitTimeout);
    const { id } = await newShipment(account);
    expect(await waiting).toEqual([id]);
    expect(new Set(attempts), 'no request was repeated').toEqual(new Set([1]));
    await events.return();
  });
});

test('listEvents iterates over all pages, then ends', async ({ account: { client } }) => {
  const created = [await newShipment({ client }), await newShipment({ client }), await newShipment({ client })];
  const events = await client.listEvents({ limit: 2 }).toArray({ limit: 10 });
  expect(events.map(({ data }) => data.shipment?.id)).toEqual(created.map(({ id }) => id));
  expect(await client.listEvents({ after: events.at(-1)?.id }).toArray({ limit: 10 })).toEqual([]);
});
