import { sequenceNumbers } from '@waybill/server/shipments/tracking-numbers';
import { expect } from 'vitest';
import { operationOf, type Schema } from '../../fixtures/contract/contract.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { post } from '../../fixtures/requests/post.ts';
import {
  inTransit,
  newShipment,
  proofFor,
  type Shipment,
  shipmentIn,
  shipmentRequest,
} from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';

test('a reference is taken until its shipment has ended, and is matched exactly', async ({ service, account }) => {
  const { client } = account;
  const create = async (reference: string, who = account) => (await newShipment(who, { reference })).id;
  const list = async (query: object) => (await client.listShipments(query)).data.map(({ id }) => id);
  const first = await create('PO-1');
  await client.cancelShipment({ shipment_id: first, reason: 'The consignee moved.' });
  const problem = { shipment_id: await create('PO-1') };
  await expect(create('PO-1')).rejects.toMatchObject({ status: 409, code: 'reference_taken', problem });
  expect(await list({ reference: 'PO-1', status: 'cancelled' })).toEqual([first]);
  await create('po-1');
  await create('PO-1', await newAccount(service));
  for (const status of ['delivered', 'returned', 'lost'] as const) {
    const { id: ended } = await shipmentIn(account, status, { reference: status });
    const reused = await create(status);
    expect(await list({ reference: status })).toEqual([reused, ended]);
  }
  const id = await create('PO 1/ä%_北京 👷+');
  await create('PO 1/äXX北京 👷+');
  expect([await list({ reference: 'PO 1/ä%_北京 👷+' }), await list({ reference: 'PO 1' })]).toEqual([[id], []]);
});

test('one of 20 concurrent creates with, and changes to, one reference succeeds, the others name it', async ({
  account,
}) => {
  const { client } = account;
  const reference = 'PO-1';
  const existing = await concurrently(10, () => newShipment(account));
  const results = await Promise.allSettled([
    ...existing.map(({ id: shipment_id }) => client.updateShipment({ shipment_id, reference })),
    ...existing.map(() => newShipment(account, { reference })),
  ]);
  const succeeded = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect((await client.listShipments({ reference })).data).toEqual(succeeded);
  const problem = { shipment_id: succeeded[0]?.id };
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(19);
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ status: 409, code: 'reference_taken', problem });
});

test('several shipments may have the same references, and a list by one of their values has them', async ({
  account,
}) => {
  const list = async (reference: string) =>
    (await account.client.listShipments({ reference })).data.map(({ id }) => id);
  const order = { type: 'purchase_order', value: '45-1' } as const;
  const { id: shipment_id } = await newShipment(account, { references: [order, { type: 'other', value: '45-1' }] });
  const { id: second } = await newShipment(account, { reference: '45-1', references: [order] });
  const { id: third } = await newShipment(account, { reference: '45-2', references: [order] });
  const others = [second, third].toSorted().reverse();
  expect((await list('45-1')).toSorted()).toEqual([shipment_id, second, third].toSorted());
  const change = (value: string | null) =>
    account.client.updateShipment({ shipment_id, references: value === null ? null : [{ type: 'pro', value }] });
  await change('45-3');
  expect([await list('45-3'), await list('45-1')]).toEqual([[shipment_id], others]);
  await change(null);
  expect(await list('45-3')).toEqual([]);

  // The number of the carrier takes the place of an earlier one.
  const { tracking_number } = await newShipment(account, { references: [{ type: 'pro', value: '7' }, order] });
  const carry = (pro: string | null) => account.client.updateTracking({ tracking_number, pro });
  expect(await carry('8')).toMatchObject({ pro: '8' });
  const { data } = await account.client.listShipments({ reference: '8' });
  expect([data[0]?.references, await list('7')]).toEqual([[{ type: 'pro', value: '8' }, order], []]);
  expect(await carry(null)).not.toHaveProperty('pro');
  const full = Array.from({ length: 200 }, (_, n) => ({ type: 'order' as const, value: `45-${n}` }));
  const { id } = await newShipment(account, { references: [order] });
  const other = await account.client.updateShipment({ shipment_id: id, references: full });
  const refused = account.client.updateTracking({ tracking_number: other.tracking_number, pro: '9' });
  await expect(refused).rejects.toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/pro' }] });

  const references = [{ type: 'order' as const, value: '  Po 77 ' }];
  const { id: written } = await newShipment(account, { reference: 'So 78', references });
  for (const reference of ['Po 77', 'po77', ' PO 7 7', 'PO\u00a07\u30007', 'SO78', 'so  78'])
    expect(await list(reference)).toEqual([written]);
  expect(await list('po7')).toEqual([]);
});

/** A value with null for each optional field that it lacks, at every depth. */
const withNulls = ({ properties = {} }: Schema, value: object): object =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const field = (value as Record<string, unknown>)[name] ?? null;
      return [name, typeof field === 'object' && field !== null ? withNulls(property, field) : field];
    }),
  );

test('a field that is null is as if it were absent', async ({ service, account }) => {
  const request = { ...shipmentRequest(), carrier: { name: 'Cascade Freight Lines' } };
  const body = withNulls(operationOf('createShipment').bodySchema ?? {}, request) as typeof request;
  expect(body).toMatchObject({ notes: null, origin: { company: null }, carrier: { scac: null } });
  const { status, body: created } = await post(service, account, { path: '/shipments', body });
  expect(status).toBe(201);
  const { id, tracking_number, created_at, updated_at, pickup_window, ...fields } = created as Shipment;
  const { pickup_window: _, ...rest } = request;
  expect(fields).toEqual({ ...rest, status: 'scheduled' });
  expect(await account.client.getShipment({ shipment_id: id })).toEqual(created);
});

test('items are stored as stated, and totals have their sums in both units, in thousandths', async ({ account }) => {
  const item = { description: 'Tiles', pieces: 3 };
  const hazmat = { id: 'NA1993', class: 'Comb liq', packing_group: 'III', emergency_phone: '+1 800 555 0100' } as const;
  const size = { length: 48, width: 40, height: 53.5, dimension_unit: 'in' } as const;
  const kg = (value: number) => ({ ...item, weight: { value, unit: 'kg' as const } });
  const lb = (value: number) => ({ ...item, weight: { value, unit: 'lb' as const } });
  const [air, paint] = [
    { ...kg(0.0014), hazmat: { id: 'ID8000' } },
    { ...lb(0.001), hazmat: { id: 'UN 1263' } },
  ];
  const [sheets, drums] = [
    { ...lb(500), ...size, packaging: 'slip_sheet' as const },
    { ...kg(100), hazmat },
  ];
  for (const [items, totals] of [
    [[kg(0.1), { ...kg(0.7), pieces: 4 }], { pieces: 7, weight: kg(0.8).weight, weight_kg: 0.8, weight_lb: 1.764 }],
    [[air], { pieces: 3, weight: kg(0.001).weight, weight_kg: 0.001, weight_lb: 0.003 }],
    [[paint], { pieces: 3, weight: lb(0.001).weight, weight_kg: 0.001, weight_lb: 0.001 }],
    [[sheets, drums], { pieces: 6, weight: lb(720.462).weight, weight_kg: 326.796, weight_lb: 720.462 }],
  ] as const) {
    const created = await newShipment(account, { items: [...items] });
    expect(created).toMatchObject({ items, totals });
    expect(await account.client.getShipment({ shipment_id: created.id })).toEqual(created);
  }
  const classes = await newShipment(account, {
    items: [77.5, '77.5', 50].map((freight_class) => ({ ...kg(1), freight_class })) as never,
  });
  expect(classes.items?.map(({ freight_class }) => freight_class)).toEqual(['77.5', '77.5', '50']);
});

test('numbers of a block are returned once, also while the next block is fetched', async ({ service }) => {
  const next = sequenceNumbers(service.db);
  const numbers: number[] = [];
  await concurrently(8, async () => {
    for (let count = 0; count < 200; count++) numbers.push(await next());
  });
  expect(new Set(numbers).size).toBe(1600);
});

/** Requests of which each would succeed alone, and what then shows which of them did: in its response and in the state. */
type Race = (
  client: TestAccount['client'],
  shipment: Shipment,
) => [send: (n: number) => Promise<object>, read: () => Promise<object>];

const races: Record<string, Race> = {
  'events with different descriptions': (client, { tracking_number }) => {
    const event = { tracking_number, status: 'dispatched', timestamp: new Date() } as const;
    const send = (n: number) => client.recordTrackingEvent({ ...event, description: `Driver ${n}` });
    return [send, () => client.getTracking({ tracking_number })];
  },
  'cancellations with different reasons': (client, { id: shipment_id }) => {
    const send = (n: number) => client.cancelShipment({ shipment_id, reason: `Reason ${n}` });
    return [send, () => client.getShipment({ shipment_id })];
  },
  'proofs with different files': (client, { tracking_number }) => {
    const proofs = concurrently(10, () => proofFor({ client }, tracking_number));
    const send = async (n: number) =>
      client.submitProofOfDelivery({ tracking_number, ...((await proofs)[n] ?? expect.unreachable()) });
    return [send, () => client.getProofOfDelivery({ tracking_number })];
  },
};

test.for(Object.entries(races))('one of 10 concurrent %s succeeds and is stored', async ([name, race], { account }) => {
  const shipment = await (name.startsWith('proofs') ? inTransit(account) : newShipment(account));
  const [send, read] = race(account.client, shipment);
  const path = { tracking_number: shipment.tracking_number };
  const { timeline } = await account.client.getTracking(path);
  const results = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => send(n)));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.status] : []));
  expect(failures).toEqual(Array(9).fill(409));
  const succeeded = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect([await read()]).toEqual(succeeded);
  expect((await account.client.getTracking(path)).timeline).toHaveLength(timeline.length + 1);
});
