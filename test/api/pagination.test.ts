import { createClient, type Params } from '@waybill/client';
import { expect } from 'vitest';
import { longLists } from '../contract/coverage/scenarios.ts';
import { clock } from '../fixtures/clock.ts';
import { type ContractOperation, contractOperations } from '../fixtures/contract/contract.ts';
import { concurrently } from '../fixtures/requests/concurrently.ts';
import { receive, send } from '../fixtures/requests/send.ts';
import { disabledEndpoint, newPosition } from '../fixtures/requests/valid-requests.ts';
import { newShipment, type Shipment, shipmentIn, shipmentRequest } from '../fixtures/shipments.ts';
import { type TestAccount, test } from '../fixtures/test.ts';

type Query = Params<'listShipments'>;
const idsOf = (shipments: { id: string }[]): string[] => shipments.map(({ id }) => id);

/** Follows the cursors of listShipments and returns the ids. Each page must be what the previous one says. */
async function listAll({ client }: TestAccount, query: Query, onPage?: (ids: string[]) => Promise<unknown>) {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await client.listShipments({ ...query, cursor });
    ids.push(...idsOf(page.data));
    await onPage?.(idsOf(page.data));
    expect(page.has_more).toBe(page.next_cursor !== null);
    if (cursor !== null) expect(page.data, 'more was promised').not.toEqual([]);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return ids;
}

/** Creates shipments. Returns them newest first. */
async function createShipments(account: TestAccount, count: number, afterEach?: () => void) {
  const created: Shipment[] = [];
  for (; created.length < count; afterEach?.()) created.unshift(await newShipment(account));
  return created;
}

test('listShipments returns the shipments that match all filters, on pages of every size', async ({ account }) => {
  const time = clock();
  const appointment = (start: string) => ({ start, end: start });
  const carrier = { name: 'Cascade Freight Lines', scac: 'CSCD' };
  const to = (city: string) => ({ destination: { ...shipmentRequest().destination, city } });
  const first = await shipmentIn(account, 'dispatched', {
    ...{ reference: 'PO-1', carrier },
    pickup_window: appointment('2031-01-03T08:00:00Z'),
    delivery_window: appointment('2031-01-09T08:00:00Z'),
  });
  time.forward(1_000);
  const [moving, fresh] = [await shipmentIn(account, 'in_transit'), await newShipment(account, to('Yakima'))];
  const exception = { code: 'breakdown', occurred_at: new Date() } as const;
  await account.client.raiseException({ tracking_number: moving.tracking_number, ...exception });
  const cancelled = await shipmentIn(account, 'cancelled');
  const last = await shipmentIn(account, 'dispatched', {
    ...{ references: [{ type: 'order', value: 'PO-1' }], carrier, ...to('YAKIMA') },
    pickup_window: appointment('2031-01-02T23:59:59Z'),
    delivery_window: appointment('2031-01-10T00:00:00Z'),
  });
  const at = (ms: number): string => new Date(Date.parse(first.created_at) + ms).toISOString();
  const { tracking_number } = fresh;
  const day = at(0).slice(0, 10);
  const all = [last, cancelled, fresh, moving, first];
  for (const [query, expected] of [
    [{ status: ['scheduled', 'dispatched', 'delivered'] }, [last, fresh, first]],
    [{ reference: 'PO-1' }, [last, first]],
    [{ reference: 'PO-1', status: ['scheduled', 'dispatched'], from_date: at(1) }, [last]],
    [{ reference: 'PO-1', pickup_from: '2031-01-01' }, [last, first]],
    [{ pickup_from: '2031-01-02', pickup_to: '2031-01-03' }, [last, first]],
    [{ pickup_from: '2031-01-02', pickup_to: '2031-01-03T08:00:00Z', status: ['scheduled', 'dispatched'] }, [last]],
    [{ delivery_from: '2031-01-09T08:00:00Z', delivery_to: '2031-01-10T00:00:00Z' }, [first]],
    [{ delivery_to: '2031-01-10' }, [first, last]],
    [{ carrier_scac: 'CSCD', to_date: at(1) }, [first]],
    [{ destination_city: 'yakima' }, [last, fresh]],
    [{ destination_city: 'Yakima', status: ['scheduled', 'delivered'] }, [fresh]],
    [{ has_exception: true }, [moving]],
    [{ tracking_number, status: ['delivered', 'scheduled'] }, [fresh]],
    [{ tracking_number, updated_since: at(60_000) }, []],
    [{ from_date: at(1) }, all.slice(0, -1)],
    [{ from_date: at(0), to_date: at(1) }, [first]],
    [{ from_date: at(0).replace('Z', '+00:00'), to_date: at(0) }, []],
    [{ from_date: day, to_date: day }, all],
  ] as [Query, Shipment[]][]) {
    for (const limit of [1, 2, 100])
      expect([query, await listAll(account, { ...query, limit })]).toEqual([query, idsOf(expected)]);
    const { total_count } = await account.client.listShipments({ ...query, limit: 1, total_count: true });
    expect([query, total_count]).toEqual([query, expected.length]);
  }
});

test('listShipments with updated_since returns each change since, the oldest first', async ({ account }) => {
  const time = clock();
  const { client } = account;
  const created = await createShipments(account, 4, () => time.forward(1_000));
  const [d = '', c = '', b = '', a = ''] = idsOf(created);
  const [, , since, oldest] = created.map(({ created_at }) => created_at);
  const cancel = (shipment_id: string) => client.cancelShipment({ shipment_id, reason: 'No truck.' });
  const { updated_at } = await cancel(b);
  time.forward(1_000);
  for (const limit of [1, 2, 100]) {
    expect(await listAll(account, { updated_since: since, limit })).toEqual([c, d, b]);
    expect(await listAll(account, { updated_since: oldest, limit })).toEqual([a, c, d, b]);
  }
  expect(await listAll(account, { updated_since: updated_at })).toEqual([b]);
  expect(await listAll(account, { updated_since: since, status: ['scheduled', 'dispatched'] })).toEqual([c, d]);

  // A shipment that changes during the pagination appears again, so that no change is missed.
  const first = await client.listShipments({ updated_since: since, limit: 2 });
  await cancel(c);
  const second = await client.listShipments({ updated_since: since, cursor: first.next_cursor });
  const statuses = [...first.data, ...second.data].map(({ id, status }) => `${id} ${status}`);
  expect(statuses).toEqual([`${c} scheduled`, `${d} scheduled`, `${b} cancelled`, `${c} cancelled`]);
});

test('listShipments with include adds the status that getTracking returns', async ({ service, account }) => {
  const { client } = account;
  const { tracking_number } = await shipmentIn(account, 'in_transit');
  await client.recordPositions({ tracking_number, positions: [newPosition()], eta: new Date(Date.now() + 60_000) });
  await client.raiseException({ tracking_number, code: 'breakdown', occurred_at: new Date() });
  await shipmentIn(account, 'delivered');
  const { data, next_cursor: cursor } = await client.listShipments({ include: 'tracking', limit: 1 });
  // It may change between pages, because it selects nothing.
  expect((await client.listShipments({ cursor })).data[0]).not.toHaveProperty('tracking');
  data.push(...(await client.listShipments({ cursor, include: 'tracking' })).data);
  expect(data).toHaveLength(2);
  for (const { tracking, ...shipment } of data) {
    expect(tracking).toEqual(await client.getTracking({ tracking_number: shipment.tracking_number }));
    expect(shipment).toEqual(await client.getShipment({ shipment_id: shipment.id }));
  }
  const limited = createClient({ baseUrl: service.baseUrl, apiKey: await account.keyWith(['shipments:read']) });
  const refused = { status: 403, code: 'insufficient_scope', detail: 'The key lacks the scope tracking:read.' };
  await expect(limited.listShipments({ include: 'tracking' })).rejects.toMatchObject(refused);
});

test('listShipments by pickup_before lists overdue pickups, the earliest end first', async ({ account }) => {
  const { client } = account;
  const endingIn = (hours: number) => {
    const end = Date.now() + hours * 3_600_000;
    return { pickup_window: { start: new Date(end - 3_600_000).toISOString(), end: new Date(end).toISOString() } };
  };
  const assigned = await shipmentIn(account, 'dispatched', endingIn(-1));
  const oldest = await newShipment(account, endingIn(-3));
  const sameEnd = await newShipment(account, { pickup_window: oldest.pickup_window });
  await shipmentIn(account, 'picked_up', endingIn(-2));
  await newShipment(account, endingIn(1));
  const query = { pickup_before: new Date(), limit: 2 };
  expect(await listAll(account, query)).toEqual(idsOf([oldest, sameEnd, assigned]));
  expect(await client.listShipments({ ...query, total_count: true })).toMatchObject({ total_count: 3 });
  expect(await client.listShipments(query)).not.toHaveProperty('total_count');
});

test('a cursor is valid only with the filters of its list', async ({ account }) => {
  const { client } = account;
  for (let n = 0; n < 3; n++) await shipmentIn(account, 'cancelled', { reference: 'PO-1' });
  const [status, updated_since] = ['cancelled', '2020-01-01T00:00:00Z'];
  for (const [filters, ...others] of [
    [{ status }, {}, { status: 'delivered' }, { status: [status, 'delivered'] }, { status, updated_since }],
    [{ reference: 'PO-1' }, {}, { reference: 'PO-2' }],
    [{ updated_since }, {}],
  ] as Query[][]) {
    const cursor = (await client.listShipments({ ...filters, limit: 1 })).next_cursor;
    expect((await client.listShipments({ ...filters, limit: 2, cursor })).data).toHaveLength(2);
    for (const other of others)
      await expect(client.listShipments({ ...other, cursor })).rejects.toMatchObject({ code: 'cursor_mismatch' });
  }
});

test.for<Query>([{}, { status: ['scheduled', 'cancelled'] }])(
  'pagination by %j is stable while shipments are created',
  async (query, { account }) => {
    const before = idsOf(await createShipments(account, 12));
    let isListing = true;
    const writers = concurrently(3, async () => {
      while (isListing) await newShipment(account);
    });
    const lists = await Promise.all([1, 2, 5].map((limit) => listAll(account, { ...query, limit })));
    isListing = false;
    await writers;
    for (const ids of lists) {
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.slice(-12)).toEqual(before);
      expect(ids).toEqual(ids.toSorted().reverse());
    }
  },
);

test('shipments that stop matching the filter during pagination hide no others', async ({ account }) => {
  const created = idsOf(await createShipments(account, 9));
  const cancel = (ids: string[]) =>
    Promise.all(ids.map((shipment_id) => account.client.cancelShipment({ shipment_id, reason: 'Seen.' })));
  expect(await listAll(account, { status: 'scheduled', limit: 2 }, cancel)).toEqual(created);
});

// contract/fuzz has invalid values of each parameter.
test.for([
  ['updated_since=2026-03-01T00:00:00Z&to_date=2026-03-01', '/updated_since', 'not_allowed'],
  ['pickup_before=2026-03-01T00:00:00Z&status=scheduled', '/pickup_before', 'not_allowed'],
  ['pickup_to=2026-03-01&delivery_from=2026-03-01', '/pickup_to', 'not_allowed'],
  ['delivery_to=2026-03-01&from_date=2026-03-01', '/delivery_to', 'not_allowed'],
  ['carrier_scac=CSCD&destination_city=Yakima', '/carrier_scac', 'not_allowed'],
  ['status=scheduled,gone', '/status/1', 'not_allowed'],
  ['from_date=2026-03-02&to_date=2026-03-01', '/to_date', 'out_of_order'],
])('listShipments refuses %s', async ([query = '', pointer, code], { service, account }) => {
  const [operation] = lists.filter(({ id }) => id === 'listShipments') as [ContractOperation];
  const { body } = await receive(await send(service.baseUrl, operation, { key: account.key, query }));
  expect(body).toMatchObject({ code: 'invalid_request', errors: [{ in: 'query', pointer, code }] });
});

const lists = contractOperations.filter(({ parameters }) => parameters.some(({ name }) => name === 'cursor'));

/** Path values of which every list has two entries. */
async function newLists(account: TestAccount): Promise<Record<string, string>> {
  const path = await disabledEndpoint(account);
  for (let count = 0; count < 2; count++) await account.client.sendTestWebhook(path);
  return { ...path, ...(await longLists(account)) };
}

test('the cursor of each list leads to its next entry, and other or changed ones are refused', async ({
  service,
  account,
}) => {
  const [path, others] = [await newLists(account), await newLists(account)];
  const page = async (list: ContractOperation, of: typeof path, query: string) => {
    const { status, code, body } = await receive(await send(service.baseUrl, list, { ...account, path: of, query }));
    const { data, next_cursor: cursor = '' } = body as { data?: unknown[]; next_cursor?: string };
    return { status, code, data, cursor };
  };
  const cursors = new Map<ContractOperation, string>();
  for (const list of lists) cursors.set(list, (await page(list, path, 'limit=1')).cursor);
  for (const [list, own] of cursors) {
    const foreign = [...cursors.values()].filter((cursor) => cursor !== own);
    if (list.path.includes('{')) foreign.push((await page(list, others, 'limit=1')).cursor);
    expect(foreign.length).toBeGreaterThan(1);
    const changed = [(own.startsWith('A') ? 'B' : 'A') + own.slice(1), own.slice(0, -4), `${own}AAAA`];
    for (const wrong of [...foreign, ...changed]) {
      const refused = { status: 400, code: 'cursor_mismatch' };
      expect(await page(list, path, `cursor=${wrong}`), list.id).toMatchObject(refused);
    }
    const [all, next] = [await page(list, path, ''), await page(list, path, `limit=1&cursor=${own}`)];
    expect(next.data, list.id).toEqual([all.data?.[1]]);
  }
});
