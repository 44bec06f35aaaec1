import { selectAccesses } from '@waybill/server/access/queries';
import { getTypeParser } from '@waybill/server/database/database';
import { indexedPlans } from '@waybill/server/database/sessions';
import type { Tables } from '@waybill/server/database/tables';
import { selectDocuments } from '@waybill/server/documents/queries';
import { readPage } from '@waybill/server/events/page';
import { selectUnboundUploads } from '@waybill/server/proof/queries';
import { shipmentFilters } from '@waybill/server/shipments/filters';
import { countShipments, selectShipmentPage } from '@waybill/server/shipments/queries';
import { selectPositions } from '@waybill/server/tracking/positions';
import { selectDeliveries } from '@waybill/server/webhooks/queue/delivery-operations';
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { operationOf } from '../../fixtures/contract/contract.ts';
import { ownMigratedDatabase } from '../../fixtures/database/own-database.ts';

type Database = Kysely<Tables>;
type Filters = Parameters<typeof shipmentFilters>[0];
type List = [name: string, read: (db: Database) => Promise<unknown>];

const accountId = '00000000-0000-7000-8000-000000000004';
const id = '019c93a5-a800-7000-8000-000000000001';

const since = '2020-01-01T00:00:00Z';

/** Each filter of `listShipments`, and what it is combined with, with values that match all shipments, few and none. */
const filters: Filters[] = [
  {},
  { has_exception: true },
  { has_exception: true, status: ['delivered'], from_date: '2026-01-01' },
  { status: ['delivered'] },
  { status: ['delivered', 'cancelled'], from_date: '2026-01-01', to_date: '2020-01-01' },
  { reference: 'PO-1' },
  { reference: 'none', status: ['cancelled'] },
  { reference: 'ORDER-1', status: ['delivered', 'in_transit'], to_date: '2090-01-01' },
  { reference: 'ORDER' },
  { from_date: '2090-01-01' },
  { to_date: '2020-01-01' },
  { updated_since: since },
  { pickup_before: since },
  { pickup_to: '2090-01-01', status: ['scheduled', 'cancelled'] },
  { pickup_from: '2090-01-01', pickup_to: '2090-01-02', reference: 'PO-1' },
  { delivery_from: '2020-01-01', delivery_to: since },
  { delivery_to: since, status: ['delivered', 'cancelled'] },
  { carrier_scac: 'CSCD' },
  { carrier_scac: 'CSCD', status: ['cancelled'], from_date: '2026-01-01' },
  { carrier_scac: 'NONE' },
  { destination_city: 'SPOKANE', to_date: '2090-01-01' },
  { destination_city: 'Spokane', status: ['scheduled', 'cancelled'] },
  { destination_city: 'none' },
  { tracking_number: 'FRT-2026-000142', status: ['delivered', 'cancelled'] },
];

/** A position in the middle of the list. */
const middle = { id: '019c9fff-0000-7000-8000-000000000000', time: new Date('2026-02-28T00:00:00Z') };
const route = { accountId, id, route_since: new Date(0) };
const eventTypes = [undefined, ['shipment.created'], ['shipment.cancelled', 'proof_of_delivery.submitted']] as const;

const lists: List[] = [
  ...filters.flatMap((query): List[] => {
    const text = JSON.stringify(query);
    const page = (after?: typeof middle) => (db: Database) =>
      selectShipmentPage(db, accountId, shipmentFilters(query), { after, limit: 21 });
    return [
      [`listShipments ${text}`, page()],
      [`the next page of listShipments ${text}`, page(middle)],
      [`total_count ${text}`, (db) => countShipments(db, accountId, shipmentFilters(query), 100)],
    ];
  }),
  ...eventTypes.flatMap((types): List[] => {
    const page = (number: number) => (db: Database) =>
      readPage(db, { accountId, after: { number }, types: types && new Set(types) }, 20);
    return [0, 1].map((number) => [`listEvents ${types} after ${number}`, page(number)]);
  }),
  ['listPositions', (db) => selectPositions(db, route, undefined, 21)],
  ['listPositions, next page', (db) => selectPositions(db, route, new Date(), 21)],
  ['listProofUploads', (db) => selectUnboundUploads(db, { accountId, id }, null, new Date())],
  ['listDocuments', (db) => selectDocuments(db, { accountId, id })],
  ['listAccesses', (db) => selectAccesses(db, accountId, id, new Date())],
  ['listWebhookDeliveries', (db) => selectDeliveries(db, { accountId, endpointId: id }, undefined, 21)],
];

test('the lists below have every filter of listShipments', () => {
  const others = ['cursor', 'include', 'limit', 'total_count'];
  const all = operationOf('listShipments').parameters.flatMap(({ in: part, name }) => (part === 'query' ? name : []));
  const used = filters.flatMap((query) => Object.keys(query));
  expect([...new Set([...used, ...others])].sort(), 'Add its query above.').toEqual(all.sort());
});

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

/** Blocks that a list reads. */
async function blocksOf(pool: pg.Pool, read: List[1]): Promise<number> {
  const caught: CompiledQuery[] = [];
  const log = ({ query }: { query: CompiledQuery }) => void caught.push(query);
  await read(new Kysely({ dialect: new PostgresDialect({ pool }), log }));
  let blocks = 0;
  for (const { sql: text, parameters } of caught) {
    await pool.query(`prepare list as ${text}`);
    const literals = parameters.map(literalOf).join();
    const explain = `explain (analyze, buffers, format json) execute list${literals && `(${literals})`}`;
    const [{ Plan: plan }] = (await pool.query(explain)).rows[0]['QUERY PLAN'];
    blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    await pool.query('deallocate list');
  }
  return blocks;
}

test('no list reads more blocks when an account has ten times as many rows, whatever it is filtered by', async () => {
  await using database = await ownMigratedDatabase();
  const { db } = database;
  const other = crypto.randomUUID(); // its rows cost nothing either
  await sql`insert into accounts values (${accountId}, 'plans', now()), (${other}, 'other', now())`.execute(db);
  const details = { carrier: { scac: 'CSCD' }, delivery_window: { start: '2026-01-02T00:00:00.000Z' } };
  /** All shipments but one of 200 have an open exception, and are delivered. */
  const insertRows = async (first: number, last: number): Promise<void> => {
    const numbers = sql`generate_series(${first}::integer, ${last}::integer) i, unnest(${[accountId, other]}::uuid[]) account`;
    await sql`
      insert into shipments (account_id, id, tracking_number, status, version, type, origin, destination, pickup_start,
                             pickup_end, reference, details, updated_at, open_exceptions)
      select account, (lpad(to_hex(1772000000000 + i * 60000), 12, '0') || '70008000' || lpad(to_hex(i), 12, '0'))::uuid,
             'FRT-2026-' || lpad(i::text, 6, '0'), case when i % 200 = 0 then 'in_transit' else 'delivered' end, 1, 'freight',
             '{}', '{"city":"Spokane"}', '2026-01-01Z', '2026-01-01Z', 'PO-' || i, ${JSON.stringify(details)}, '2026-03-01Z', case when i % 200 > 0 then 1 else 0 end
      from ${numbers}`.execute(db);
    await sql`
      insert into shipment_references
      select account, (lpad(to_hex(1772000000000 + i * 60000), 12, '0') || '70008000' || lpad(to_hex(i), 12, '0'))::uuid, value
      from ${numbers}, unnest(array['ORDER', 'ORDER-' || i]) value`.execute(db);
    await sql`
      insert into events (account_id, number, created_at, type, shipment_id, data)
      select account, i, now() - make_interval(hours => i % 30), 'tracking.eta_changed', gen_random_uuid(), '{}'
      from ${numbers}`.execute(db);
    await sql`
      insert into positions (account_id, shipment_id, updated_at, lat, lng)
      select account, ${id}, now() - make_interval(secs => i), 1, 2 from ${numbers}`.execute(db);
    await sql`vacuum analyze`.execute(db);
  };
  await using stack = new AsyncDisposableStack();
  const pool = new pg.Pool({ connectionString: database.url, max: 1, types: { getTypeParser } });
  stack.defer(() => pool.end());
  const settings = { ...indexedPlans, ...((await db.isCitus()) && { plan_cache_mode: 'auto' }) };
  /** By the plan for all values, as the service runs it, and some behind an old PgBouncer, by one for these values. */
  const measure = async (): Promise<[name: string, blocks: number][]> => {
    const found: [string, number][] = [];
    for (const [mode, values] of Object.entries({ generic: settings, custom: {} })) {
      await pool.query('reset all');
      for (const [name, value] of Object.entries(values)) await pool.query(`set ${name} to ${value}`);
      for (const [name, read] of lists)
        if (mode === 'generic' || name.startsWith('list')) found.push([`${name}, ${mode}`, await blocksOf(pool, read)]);
    }
    return found;
  };
  await insertRows(1, 300);
  const before = new Map(await measure());
  await insertRows(301, 3000);
  const after = (await measure()).map(([name, many]) => ({ name, few: before.get(name) ?? 0, many }));
  expect(after.filter(({ few, many }) => many > 1.5 * few + 20)).toEqual([]);
});
