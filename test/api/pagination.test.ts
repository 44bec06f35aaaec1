import { createClient, type Params } from '@waybill/client';
import { expect } from 'vitest';
import { longLists } from '../contract/coverage/scenarios.ts';
import { clock } from '../fixtures/clock.ts';
import { concurrently } from '../fixtures/concurrently.ts';
import { type ContractOperation, contractOperations } from '../fixtures/contract.ts';
import { get, receive, send } from '../fixtures/http.ts';
import { disabledEndpoint, newPosition } from '../fixtures/requests.ts';
import type { Service } from '../fixtures/service.ts';
import { newShipment, shipmentIn, shipmentRequest } from '../fixtures/shipments.ts';
import { type TestAccount, test } from '../fixtures/test.ts';

type Query = Params<'listShipments'>;

/** Follows the cursors of listShipments and returns the ids. Checks that each page is what `has_more` and `next_cursor` of the previous one say. */
async function listAll({ client }: TestAccount, query: Query): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await client.listShipments({ ...query, cursor });
    ids.push(...page.data.map(({ id }) => id));
    expect(page.has_more).toBe(page.next_cursor !== null);
    if (cursor !== null) expect(page.data, 'more was promised').not.toEqual([]);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return ids;
}

/** Creates shipments and returns their ids, newest first. */
const createShipments = async (account: TestAccount, count: number): Promise<string[]> => {
  const created: string[] = [];
  for (let n = 0; n < count; n++) created.unshift((await newShipment(account)).id);
  return created;
};

test('listShipments returns every shipment once, newest first, for every page size', async ({ account }) => {
  expect(await account.client.listShipments()).toEqual({ data: [], has_more: false, next_cursor: null });
  const created = await createShipments(account, 7);
  for (const limit of [1, 2, 3, 6, 7, 8, 100]) expect(await listAll(account, { limit })).toEqual(created);
});

test('listShipments with statuses returns the shipments of each, on pages of every size', async ({ account }) => {
  const [first, second, third] = [
    await shipmentIn(account, 'dispatched'),
    await shipmentIn(account, 'in_transit'),
    await newShipment(account),
    await shipmentIn(account, 'cancelled'),
  ];
  const last = await shipmentIn(account, 'dispatched');
  for (const limit of [1, 2, 3, 100]) {
    const status = ['scheduled', 'dispatched', 'delivered'] as const;
    expect(await listAll(account, { status, limit })).toEqual([last.id, third.id, first.id]);
  }
  expect(await listAll(account, { status: 'in_transit' })).toEqual([second.id]);
  expect(await listAll(account, { status: 'delivered' })).toEqual([]);
});

test('listShipments with tracking_number returns that shipment, if no filter excludes it', async ({ account }) => {
  const { id, tracking_number } = await newShipment(account);
  await newShipment(account);
  for (const [query, expected] of [
    [{}, [id]],
    [{ status: 'scheduled' }, [id]],
    [{ status: ['delivered', 'scheduled'] }, [id]],
    [{ status: 'delivered' }, []],
    [{ status: ['delivered', 'cancelled'] }, []],
    [{ updated_since: new Date(0) }, [id]],
    [{ updated_since: new Date(Date.now() + 60_000) }, []],
    [{ reference: 'PO-1' }, []],
  ] as const) {
    expect(await listAll(account, { tracking_number, ...query }), JSON.stringify(query)).toEqual(expected);
  }
});

test('listShipments with from_date and to_date includes whole UTC days, and a to_date with a time is exclusive', async ({
  account,
}) => {
  const { client } = account;
  const { created_at } = await newShipment(account);
  const at = (milliseconds: number): string => new Date(Date.parse(created_at) + milliseconds).toISOString();
  const day = created_at.slice(0, 10);
  for (const [query, count] of [
    [{ from_date: created_at }, 1],
    [{ from_date: at(1) }, 0],
    [{ to_date: at(1) }, 1],
    [{ to_date: created_at }, 0],
    [{ from_date: created_at, to_date: at(1) }, 1],
    [{ from_date: created_at, to_date: created_at }, 0],
    [{ from_date: at(-1).replace('Z', '+00:00') }, 1],
    [{ from_date: day }, 1],
    [{ to_date: day }, 1],
    [{ from_date: day, to_date: day }, 1],
    [{ from_date: at(86_400_000).slice(0, 10) }, 0],
    [{ to_date: at(-86_400_000).slice(0, 10) }, 0],
  ] as const) {
    const { data } = await client.listShipments(query);
    expect([query, data.length]).toEqual([query, count]);
  }
});

test('listShipments with updated_since returns each change since, the oldest first', async ({ account }) => {
  const time = clock();
  const created: Awaited<ReturnType<typeof newShipment>>[] = [];
  for (let n = 0; n < 4; n++) {
    created.push(await newShipment(account));
    time.forward(1_000);
  }
  const [a, b, c, d] = created.map(({ id }) => id) as [string, string, string, string];
  const { updated_at } = await account.client.cancelShipment({ shipment_id: b, reason: 'No truck.' });
  time.forward(1_000);
  const since = created[1]?.created_at ?? '';
  for (const limit of [1, 2, 3, 100]) {
    expect(await listAll(account, { updated_since: since, limit })).toEqual([c, d, b]);
    expect(await listAll(account, { updated_since: created[0]?.created_at ?? '', limit })).toEqual([a, c, d, b]);
  }
  expect(await listAll(account, { updated_since: updated_at })).toEqual([b]);
  expect(await listAll(account, { updated_since: since, status: ['scheduled', 'dispatched'] })).toEqual([c, d]);
  expect(await listAll(account, { updated_since: since, status: 'cancelled' })).toEqual([b]);

  // A shipment that changes during the pagination appears again, so that no change is missed.
  const first = await account.client.listShipments({ updated_since: since, limit: 2 });
  await account.client.cancelShipment({ shipment_id: c, reason: 'No truck.' });
  const second = await account.client.listShipments({ updated_since: since, cursor: first.next_cursor });
  expect([...first.data, ...second.data].map(({ id, status }) => [id, status])).toEqual([
    [c, 'scheduled'],
    [d, 'scheduled'],
    [b, 'cancelled'],
    [c, 'cancelled'],
  ]);
  const other = account.client.listShipments({ cursor: first.next_cursor });
  await expect(other).rejects.toMatchObject({ code: 'cursor_mismatch' });
});

test('listShipments with include adds the status that getTracking returns', async ({ account }) => {
  const { client } = account;
  const moving = await shipmentIn(account, 'in_transit');
  const { tracking_number } = moving;
  await client.recordPositions({ tracking_number, positions: [newPosition()], eta: new Date(Date.now() + 60_000) });
  await client.raiseException({ tracking_number, code: 'breakdown', occurred_at: new Date() });
  const [delivered, fresh] = [await shipmentIn(account, 'delivered'), await newShipment(account)];
  const first = await client.listShipments({ include: 'tracking', limit: 2 });
  // It may change between pages, because it selects nothing.
  const second = await client.listShipments({ cursor: first.next_cursor, include: 'tracking' });
  const third = await client.listShipments({ cursor: first.next_cursor });
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual([fresh.id, delivered.id, moving.id]);
  for (const { tracking, ...shipment } of [...first.data, ...second.data]) {
    expect(tracking).toEqual(await client.getTracking({ tracking_number: shipment.tracking_number }));
    expect(shipment).toEqual(await client.getShipment({ shipment_id: shipment.id }));
  }
  expect(third.data.map((shipment) => 'tracking' in shipment)).toEqual([false]);
  expect((await client.listShipments({ include: 'tracking', status: 'cancelled' })).data).toEqual([]);
});

test('listShipments with total_count counts what matches on all pages', async ({ account }) => {
  const { client } = account;
  const moving = await shipmentIn(account, 'in_transit', { reference: 'PO-1' });
  await client.raiseException({ tracking_number: moving.tracking_number, code: 'breakdown', occurred_at: new Date() });
  for (let n = 0; n < 3; n++) await newShipment(account);
  const countOf = async (query: Query) => (await client.listShipments({ ...query, total_count: true })).total_count;
  expect(await countOf({ limit: 1 })).toBe(4);
  expect(await countOf({ status: 'scheduled', limit: 1 })).toBe(3);
  expect(await countOf({ status: ['scheduled', 'in_transit'] })).toBe(4);
  expect(await countOf({ has_exception: true })).toBe(1);
  expect(await countOf({ reference: 'PO-1' })).toBe(1);
  expect(await countOf({ updated_since: new Date(0) })).toBe(4);
  expect(await countOf({ status: 'cancelled' })).toBe(0);
  const first = await client.listShipments({ status: 'scheduled', limit: 2, total_count: true });
  const { cursor, ...rest } = { cursor: first.next_cursor, status: 'scheduled', total_count: true } as const;
  expect(await client.listShipments({ ...rest, cursor })).toMatchObject({ total_count: 3, has_more: false });
  expect(await client.listShipments()).not.toHaveProperty('total_count');
});

test('listShipments by pickup_before lists the pickups that are overdue, the earliest end first', async ({
  account,
}) => {
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
  const query = { pickup_before: new Date(), limit: 2, total_count: true } as const;
  const first = await client.listShipments(query);
  expect(first).toMatchObject({ data: [{ id: oldest.id }, { id: sameEnd.id }], has_more: true, total_count: 3 });
  const second = await client.listShipments({ ...query, cursor: first.next_cursor });
  expect(second).toMatchObject({ data: [{ id: assigned.id }], has_more: false });
  const errors = [{ in: 'query', pointer: '/pickup_before', code: 'not_allowed' }];
  for (const other of [{ status: 'scheduled' }, { has_exception: true }, { updated_since: new Date() }] as const)
    await expect(client.listShipments({ ...query, ...other })).rejects.toMatchObject({ status: 400, errors });
});

test('listShipments with include requires the scope of the tracking status', async ({ service, account }) => {
  await newShipment(account);
  const apiKey = await account.keyWith(['shipments:read']);
  const client = createClient({ baseUrl: service.baseUrl, apiKey });
  expect((await client.listShipments()).data).toHaveLength(1);
  const refused = { status: 403, code: 'insufficient_scope', detail: 'The key lacks the scope tracking:read.' };
  await expect(client.listShipments({ include: 'tracking' })).rejects.toMatchObject(refused);
});

test.for<[filters: Query, others: Query[]]>([
  [
    { status: 'cancelled' },
    [
      {},
      { status: 'delivered' },
      { status: ['cancelled', 'delivered'] },
      { status: 'cancelled', updated_since: '2020-01-01T00:00:00Z' },
      { status: 'cancelled', reference: 'PO-1' },
      { status: 'cancelled', from_date: '2020-01-01' },
    ],
  ],
  [{ reference: 'PO-1' }, [{}, { reference: 'PO-2' }]],
])('a cursor of the filters %j is valid only with them', async ([filters, others], { account: { client } }) => {
  const body = { ...shipmentRequest(), reference: 'PO-1' };
  for (let n = 0; n < 3; n++) {
    const data = await client.createShipment(body);
    await client.cancelShipment({ shipment_id: data.id, reason: 'Ordered again.' });
  }
  const cursor = String((await client.listShipments({ ...filters, limit: 1 })).next_cursor);
  const more = await client.listShipments({ ...filters, limit: 2, cursor });
  expect(more.data).toHaveLength(2);
  for (const other of others) {
    await expect(client.listShipments({ ...other, cursor })).rejects.toMatchObject({ code: 'cursor_mismatch' });
  }
});

const filters: [string, Query][] = [
  ['no filter', {}],
  ['status', { status: 'scheduled' }],
  ['dates', { from_date: '2020-01-01', to_date: '2999-01-01' }],
  ['status and dates', { status: 'scheduled', from_date: '2020-01-01T00:00:00Z' }],
  ['statuses', { status: ['scheduled', 'cancelled'] }],
];

test.for(filters)('pagination by %s is stable while shipments are created', async ([, query], { account }) => {
  const before = await createShipments(account, 12);
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
});

test('shipments that stop matching the filter during pagination hide no others', async ({ account }) => {
  const created = await createShipments(account, 9);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const query: Query = { status: 'scheduled', limit: 2, cursor };
    const page = await account.client.listShipments(query);
    for (const { id } of page.data) {
      seen.push(id);
      await account.client.cancelShipment({ shipment_id: id, reason: 'Seen.' });
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(seen).toEqual(created);
});

test.for<[string, string, string]>([
  ['limit=0', '/limit', 'out_of_range'],
  ['status=lost', '/status', 'invalid_format'],
  ['status=scheduled,lost', '/status', 'invalid_format'],
  ['status=scheduled,', '/status', 'invalid_format'],
  ['tracking_number=142', '/tracking_number', 'invalid_format'],
  ['updated_since=2026-03-01', '/updated_since', 'invalid_format'],
  ['updated_since=2026-03-01T00:00:00Z&to_date=2026-03-01', '/updated_since', 'not_allowed'],
  ['updated_since=2026-03-01T00:00:00Z&from_date=2026-03-01', '/updated_since', 'not_allowed'],
  ['from_date=2026-02-30', '/from_date', 'invalid_format'],
  ['from_date=2026-03-01T10:00:00', '/from_date', 'invalid_format'],
  ['from_date=2026-03-02&to_date=2026-03-01', '/to_date', 'out_of_order'],
  ['from_date=2026-03-02T00:00:01Z&to_date=2026-03-02T00:00:00Z', '/to_date', 'out_of_order'],
  ['cursor=%00', '/cursor', 'invalid_format'],
])('%s is refused', async ([query, pointer, code], { service, account }) => {
  const response = await get(service, account, `/shipments?${query}`);
  expect(await response.json()).toMatchObject({ code: 'invalid_request', errors: [{ in: 'query', pointer, code }] });
});

const lists = contractOperations.filter(({ parameters }) => parameters.some(({ name }) => name === 'cursor'));

/** Path values of which every list has two entries. */
async function newLists(account: TestAccount): Promise<Record<string, string>> {
  const path = await disabledEndpoint(account);
  for (let count = 0; count < 2; count++) await account.client.sendTestWebhook(path);
  return { ...path, ...(await longLists(account)) };
}

async function page(
  { baseUrl }: Service,
  { key }: TestAccount,
  list: ContractOperation,
  path: Record<string, string>,
  query: string,
) {
  const { status, code, body } = await receive(await send(baseUrl, list, { key, path, query }));
  return { status, code, cursor: (body as { next_cursor?: string }).next_cursor };
}

test.for(lists)('$id refuses cursors of other lists, and changed ones', async (list, { service, account }) => {
  const [path, others] = [await newLists(account), await newLists(account)];
  const { cursor = '' } = await page(service, account, list, path, 'limit=1');
  const foreign = await Promise.all(
    lists
      .filter((other) => other !== list)
      .map(async (other) => (await page(service, account, other, path, 'limit=1')).cursor),
  );
  if (list.path.includes('{')) foreign.push((await page(service, account, list, others, 'limit=1')).cursor);
  const first = cursor.startsWith('A') ? 'B' : 'A';
  expect(foreign.length).toBeGreaterThan(1);
  for (const wrong of [...foreign, first + cursor.slice(1), cursor.slice(0, -4), `${cursor}AAAA`]) {
    expect(await page(service, account, list, path, `cursor=${wrong}`)).toMatchObject({
      status: 400,
      code: 'cursor_mismatch',
    });
  }
  expect(await page(service, account, list, path, `cursor=${cursor}`)).toMatchObject({ status: 200 });
});
