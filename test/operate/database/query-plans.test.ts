import { selectAccesses } from '@waybill/server/access/queries';
import { getTypeParser, openDatabase } from '@waybill/server/database/database';
import type { Tables } from '@waybill/server/database/tables';
import { readPage } from '@waybill/server/events/page';
import { selectUnboundUploads } from '@waybill/server/proof/queries';
import { type ShipmentFilters, shipmentFilters } from '@waybill/server/shipments/filters';
import { countShipments, selectShipmentPage } from '@waybill/server/shipments/queries';
import { selectPositions } from '@waybill/server/tracking/positions';
import { selectDeliveries } from '@waybill/server/webhooks/delivery-operations';
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect } from 'vitest';
import { operationOf } from '../../fixtures/contract.ts';
import { lifecycle } from '../../fixtures/lifecycle.ts';
import { ownMigratedDatabase } from '../../fixtures/own-database.ts';
import { test } from '../../fixtures/test.ts';

type Database = Kysely<Tables>;
type EventType = Tables['events']['type'];
const accountOf = (n: number): string => `00000000-0000-7000-8000-00000000000${n}`;
const own = accountOf(1);
const statuses = Object.keys(lifecycle);

/** In a database of its own, whose statistics no other test changes. */
let database: Awaited<ReturnType<typeof ownMigratedDatabase>>;

beforeAll(async () => {
  database = await ownMigratedDatabase();
  const { db } = database;
  for (const n of [1, 2, 3]) {
    await sql`insert into accounts values (${accountOf(n)}, 'plans', now())`.execute(db);
    await sql`
      insert into shipments (account_id, id, tracking_number, status, version, type, origin, destination, pickup_start,
                             pickup_end, reference, updated_at)
      select ${accountOf(n)}, (lpad(to_hex(1772000000000 + i * 60000), 12, '0') || '7000' || '8000' || lpad(to_hex(i), 12, '0'))::uuid,
             'FRT-2026-' || lpad(i::text, 6, '0'), (${statuses}::text[])[1 + i % ${sql.lit(statuses.length)}], 1, 'freight', '{}', '{}',
             now(), now(), case when i % 2 = 0 then 'PO-' || i / 4 end, now()
      from generate_series(1, 5000) i
      on conflict do nothing`.execute(db);
    await sql`
      insert into positions select account_id, id, now() + make_interval(secs => i), 1, 2
      from (select account_id, id from shipments where account_id = ${accountOf(n)} limit 20) s, generate_series(1, 200) i
    `.execute(db);
  }
  await sql`analyze`.execute(db);
  return () => database[Symbol.asyncDispose]();
});

const ownPool = () => {
  const pool = new pg.Pool({ connectionString: database.url, max: 1, types: { getTypeParser } });
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
};

/** The queries that the service sends for a read. */
async function queriesOf(pool: pg.Pool, read: (db: Database) => Promise<unknown>): Promise<CompiledQuery[]> {
  const caught: CompiledQuery[] = [];
  const log = ({ query }: { query: CompiledQuery }) => void caught.push(query);
  await read(new Kysely({ dialect: new PostgresDialect({ pool }), log }));
  return caught;
}

/** The plans of the queries that the service sends for a read. */
async function plansOf(read: (db: Database) => Promise<unknown>): Promise<string[]> {
  await using pool = ownPool();
  const caught = await queriesOf(pool, read);
  const plans: string[] = [];
  for (const { sql: text, parameters } of caught) {
    // As the service runs it, with one plan for all values, and as an old PgBouncer makes it, for these values.
    const generic = await pool.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`);
    const custom = await pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...parameters]);
    for (const { rows } of [generic, custom]) plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  return plans;
}

const dates = { from_date: '2026-02-25', to_date: '2026-03-02' };
const since = '2026-03-01T00:00:00Z';
const after = { id: '019ca000-0000-7000-8000-000000000000', time: new Date('2026-03-02T00:00:00Z') };

type Filters = Parameters<typeof shipmentFilters>[0];

const ofOneIndex: [string, Filters, RegExp][] = [
  ['no filter', {}, /./],
  ['status', { status: 'in_transit' }, /using shipments_status/],
  ['every status', { status: statuses.join() }, /using shipments_pkey/],
  ['has_exception and status', { has_exception: true, status: 'in_transit' }, /using shipments_exceptions/],
  ['reference', { reference: 'PO-7' }, /using shipments_(open_)?reference/],
  ['from_date', { from_date: dates.from_date }, /./],
  ['to_date', { to_date: dates.to_date }, /./],
  ['both dates', dates, /./],
  ['status and dates', { status: 'delivered', ...dates }, /using shipments_status/],
  ['reference and status', { reference: 'PO-7', status: 'scheduled' }, /using shipments_(open_)?reference/],
  ['reference and statuses', { reference: 'PO-7', status: 'scheduled,delivered' }, /using shipments_(open_)?reference/],
  ['reference and dates', { reference: 'PO-7', ...dates }, /using shipments_(open_)?reference/],
  ['everything', { reference: 'PO-7', status: 'scheduled', ...dates }, /using shipments_(open_)?reference/],
];

test.for(ofOneIndex)('listShipments by %s reads every page from an index in list order', async ([, query, index]) => {
  for (const cursor of [undefined, after]) {
    const plans = await plansOf((db) =>
      selectShipmentPage(db, own, shipmentFilters(query), { after: cursor, limit: 21 }),
    );
    expect(plans).toHaveLength(2);
    for (const plan of plans) {
      expect(plan).toMatch(/Index Scan Backward using/);
      expect(plan).not.toMatch(/Seq Scan|Sort|Bitmap/);
      expect(plan).toMatch(index);
      // The account is where the scan begins, not what it leaves out.
      expect(plan).toMatch(/Index Cond: \(\(?\(?account_id = /);
    }
  }
});

const ofSeveral: [string, Filters, number, RegExp][] = [
  ['several statuses', { status: 'in_transit,cancelled' }, 2, /Scan Backward using shipments_status/],
  [
    'several statuses and dates',
    { status: 'in_transit,cancelled', ...dates },
    2,
    /Scan Backward using shipments_status/,
  ],
  ['has_exception', { has_exception: true }, statuses.length, /Scan Backward using shipments_exceptions/],
  ['updated_since', { updated_since: since }, statuses.length, /Scan using shipments_change/],
  ['pickup_before', { pickup_before: since }, 1, /Scan using shipments_pickups/],
  ['updated_since and status', { updated_since: since, status: 'delivered' }, 1, /Scan using shipments_change/],
  [
    'updated_since and statuses',
    { updated_since: since, status: 'delivered,cancelled' },
    2,
    /Scan using shipments_change/,
  ],
];

test.for(ofSeveral)(
  'listShipments by %s reads a page of each status from an index, at most',
  async ([, query, count, index]) => {
    for (const cursor of [undefined, after]) {
      for (const plan of await plansOf((db) =>
        selectShipmentPage(db, own, shipmentFilters(query), { after: cursor, limit: 21 }),
      )) {
        const scans = plan.split('\n').filter((line) => / Scan /.test(line) && !line.includes('Subquery Scan'));
        expect(scans, plan).toHaveLength(count);
        for (const scan of scans) expect(scan).toMatch(index);
        // Each scan ends at the limit: what is sorted is the pages.
        expect(plan.match(/Limit/g)?.length, plan).toBe(count === 1 ? 1 : count + 1);
        expect(plan.match(/Index Cond: \(\(?\(?account_id = /g), plan).toHaveLength(count);
        expect(plan).not.toMatch(/Filter: .*(status|updated_at)/);
      }
    }
  },
);

test.for<Filters>([
  {},
  { status: 'in_transit' },
  { status: 'in_transit,cancelled' },
  { has_exception: true },
  { updated_since: since },
  { pickup_before: since },
])('listShipments with total_count and %o counts entries of indexes, up to a limit', async (query) => {
  for (const plan of await plansOf((db) => countShipments(db, own, shipmentFilters(query), 100))) {
    expect(plan).not.toMatch(/Seq Scan|Sort {2}|Bitmap|Index Scan/);
    expect(plan).toMatch(/Index Only Scan/);
    expect(plan.match(/Limit/g)?.length, plan).toBeGreaterThanOrEqual(plan.match(/Index Only Scan/g)?.length ?? 0);
  }
});

test('the plans above and below have every filter of listShipments', () => {
  const others = ['cursor', 'include', 'limit', 'total_count', 'tracking_number'];
  const planned = [...ofOneIndex, ...ofSeveral].flatMap(([, query]) => Object.keys(query));
  const filters = operationOf('listShipments').parameters.flatMap(({ in: part, name }) =>
    part === 'query' ? name : [],
  );
  expect([...new Set([...planned, ...others])].sort(), 'Add its query above.').toEqual(filters.sort());
});

test('listShipments by tracking_number reads one row', async () => {
  for (const query of [{}, { status: 'delivered,cancelled' }, { updated_since: since }]) {
    const filters: ShipmentFilters = shipmentFilters({ tracking_number: 'FRT-2026-000142', ...query });
    for (const plan of await plansOf((db) => selectShipmentPage(db, own, filters, { limit: 21 }))) {
      expect(plan).toMatch(/using shipments_account_id_tracking_number_key/);
      expect(plan).toMatch(/Index Cond: .*account_id = .*tracking_number = /);
    }
  }
});

test('listPositions reads only the indexes of the partitions', async () => {
  const id = '019c93a5-a800-7000-8000-000000000001';
  const route = { accountId: own, id, route_since: new Date(Date.now() - 86_400_000) };
  for (const cursor of [undefined, new Date()]) {
    for (const plan of await plansOf((db) => selectPositions(db, route, cursor, 21))) {
      expect(plan).toMatch(/Index (Only )?Scan using positions_\w+_pkey/);
      // An empty partition may be read as a whole.
      expect(plan).not.toMatch(/Seq Scan on \S+ \S+ +\(cost=0\.00\.\.(?!0\.00)|Bitmap/);
    }
  }
});

const large = accountOf(4);
const filterValues: { [Name in keyof Filters]: string[] } = {
  status: ['delivered', 'cancelled', 'scheduled,cancelled'],
  reference: ['PO-1', 'none'],
  from_date: ['2026-01-01', '2090-01-01'],
  to_date: ['2020-01-01'],
  updated_since: ['2020-01-01T00:00:00Z', '2090-01-01T00:00:00Z'],
};

/** Every combination of filters of `listShipments`, with values that match all shipments, few and none. */
function combinations(): Filters[] {
  let all: Filters[] = [{}, { has_exception: true }];
  for (const [name, values] of Object.entries(filterValues)) {
    all = all.flatMap((filters) => [filters, ...values.map((value) => ({ ...filters, [name]: value }))]);
  }
  const isPermitted = ({ updated_since, from_date, to_date, has_exception }: Filters): boolean =>
    !updated_since || !(from_date || to_date || has_exception);
  return [...all.filter(isPermitted), { pickup_before: '2020-01-01T00:00:00Z' }];
}

const shipmentOfLarge = '019c93a5-a800-7000-8000-000000000001';
const keyOfLarge = { accountId: large, id: shipmentOfLarge };
const [from, until] = [{ number: 0 }, { number: 1 }];
const lists: [string, (db: Database) => Promise<unknown>][] = [
  ...combinations().map((query): [string, (db: Database) => Promise<unknown>] => [
    `listShipments ${JSON.stringify(query)}`,
    (db) => selectShipmentPage(db, large, shipmentFilters(query), { limit: 21 }),
  ]),
  ...[undefined, ['shipment.created'], ['shipment.cancelled', 'proof.submitted']].flatMap((types) =>
    [from, until].map((after): [string, (db: Database) => Promise<unknown>] => [
      `listEvents ${types} after ${after.number}`,
      (db) => readPage(db, { accountId: large, after, types: types && new Set(types as EventType[]) }, 20),
    ]),
  ),
  ['listPositions', (db) => selectPositions(db, { ...keyOfLarge, route_since: new Date(0) }, undefined, 21)],
  ['listProofUploads', (db) => selectUnboundUploads(db, keyOfLarge, null, new Date())],
  ['listAccesses', (db) => selectAccesses(db, large, shipmentOfLarge, new Date())],
  [
    'listWebhookDeliveries',
    (db) => selectDeliveries(db, { accountId: large, endpointId: shipmentOfLarge }, undefined, 21),
  ],
];

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

/** Blocks that the service reads of a list, by the plan for all values. @param pool has the settings of the service */
async function blocksOf(pool: pg.Pool, read: (db: Database) => Promise<unknown>): Promise<number> {
  const caught = await queriesOf(pool, read);
  let blocks = 0;
  for (const { sql: text, parameters } of caught) {
    await pool.query(`prepare list as ${text}`);
    const literals = parameters.map(literalOf).join();
    const { rows } = await pool.query(
      `explain (analyze, buffers, format json) execute list${literals && `(${literals})`}`,
    );
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
    blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    await pool.query('deallocate list');
  }
  return blocks;
}

test('no list reads more blocks when an account has ten times as many rows, whatever it is filtered by', async () => {
  const { db } = database;
  await sql`insert into accounts values (${large}, 'plans', now())`.execute(db);
  /** All shipments but one of 200 have an open exception, and are delivered. All references but two are of cancelled ones. */
  const insertRows = async (first: number, last: number): Promise<void> => {
    await sql`
      insert into shipments (account_id, id, tracking_number, status, version, type, origin, destination, pickup_start,
                             pickup_end, reference, updated_at, open_exceptions)
      select ${large}, (lpad(to_hex(1772000000000 + i * 60000), 12, '0') || '7000' || '8000' || lpad(to_hex(i), 12, '0'))::uuid,
             'FRT-2026-' || lpad(i::text, 6, '0'), case when i % 200 = 0 then 'in_transit' else 'delivered' end, 1, 'freight',
             '{}', '{}', '2026-01-01Z', '2026-01-01Z', 'PO-' || i, '2026-03-01Z', case when i % 200 > 0 then 1 else 0 end
      from generate_series(${first}::integer, ${last}::integer) i`.execute(db);
    await sql`
      insert into events (account_id, number, created_at, type, shipment_id, data)
      select ${large}, i, now() - make_interval(hours => i % 30), 'tracking.eta_changed', gen_random_uuid(), '{}'
      from generate_series(${first}::integer, ${last}::integer) i`.execute(db);
    await sql`vacuum analyze`.execute(db);
  };
  await using pool = ownPool();
  await using service = openDatabase({ url: database.url, poolSize: 1, prepared: true });
  for (const [name, value] of Object.entries(await service.planSettings())) await pool.query(`set ${name} to ${value}`);
  await insertRows(1, 3000);
  const before = new Map<string, number>();
  for (const [name, read] of lists) before.set(name, await blocksOf(pool, read));
  await insertRows(3001, 30_000);
  const grown: string[] = [];
  for (const [name, read] of lists) {
    const [few = 0, many] = [before.get(name), await blocksOf(pool, read)];
    if (many > 1.5 * few + 20) grown.push(`${name}: ${few} → ${many}`);
  }
  expect(grown).toEqual([]);
}, 120_000);
