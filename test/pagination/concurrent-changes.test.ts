import { expect } from 'vitest';
import { newShipment, shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { listAll, type Query } from './list-all.ts';

const filters: [string, Query][] = [
  ['no filter', {}],
  ['status', { status: 'scheduled' }],
  ['dates', { from_date: '2020-01-01', to_date: '2999-01-01' }],
  ['status and dates', { status: 'scheduled', from_date: '2020-01-01T00:00:00Z' }],
];

test.for(filters)(
  'pagination by %s returns every earlier shipment once while others are created',
  async ([, query], { account }) => {
    const before: string[] = [];
    for (let n = 0; n < 12; n++) before.unshift((await newShipment(account)).id);
    let isListing = true;
    const writers = Array.from({ length: 3 }, async () => {
      while (isListing) await newShipment(account);
    });
    const lists = await Promise.all([1, 2, 5].map((limit) => listAll(account, { ...query, limit })));
    isListing = false;
    await Promise.all(writers);
    for (const ids of lists) {
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.slice(-12)).toEqual(before);
      expect(ids).toEqual(ids.toSorted().reverse());
    }
  },
);

test('shipments that stop matching the filter during pagination hide no others', async ({ account }) => {
  const created: string[] = [];
  for (let n = 0; n < 9; n++) created.unshift((await newShipment(account)).id);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const query: Query = { status: 'scheduled', limit: 2, ...(cursor !== null && { cursor }) };
    const { data } = await account.client.listShipments({ query });
    for (const { id } of data.data) {
      seen.push(id);
      await account.client.cancelShipment({ path: { shipment_id: id }, body: { reason: 'Seen.' } });
    }
    cursor = data.next_cursor;
  } while (cursor !== null);
  expect(seen).toEqual(created);
});

test('a cursor with another reference filter returns cursor_mismatch', async ({ account }) => {
  for (const reference of ['PO-1', 'PO-2']) {
    for (let n = 0; n < 2; n++) {
      const { id } = (await account.client.createShipment({ body: { ...shipmentRequest(), reference } })).data;
      await account.client.cancelShipment({ path: { shipment_id: id }, body: { reason: 'Again.' } });
    }
  }
  const page = await account.client.listShipments({ query: { reference: 'PO-1', limit: 1 } });
  const cursor = String(page.data.next_cursor);
  for (const query of [{ cursor }, { cursor, reference: 'PO-2' }]) {
    await expect(account.client.listShipments({ query })).rejects.toMatchObject({ code: 'cursor_mismatch' });
  }
  const rest = await account.client.listShipments({ query: { reference: 'PO-1', cursor } });
  expect(rest.data).toMatchObject({ data: [{ reference: 'PO-1' }], has_more: false });
});
