import { type ShipmentFilters, shipmentFilters } from '@waybill/http/shipments/filters';
import type { Tables } from '@waybill/server/database/tables';
import { countShipments, selectShipmentPage } from '@waybill/server/shipments/queries';
import { selectPositions } from '@waybill/server/tracking/positions';
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect } from 'vitest';
import { operationOf } from '../fixtures/contract.ts';
import { lifecycle } from '../fixtures/lifecycle.ts';
import { ownMigratedDatabase } from '../fixtures/own-database.ts';
import { test } from '../fixtures/test.ts';

type Database = Kysely<Tables>;
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

/** The plans of the queries that the service sends for a read. */
async function plansOf(read: (db: Database) => Promise<unknown>): Promise<string[]> {
  const caught: CompiledQuery[] = [];
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const log = ({ query }: { query: CompiledQuery }) => void caught.push(query);
  await using db: Database = new Kysely({ dialect: new PostgresDialect({ pool }), log });
  await read(db);
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
  ['has_exception', { has_exception: true }, /using shipments_open_exceptions/],
  ['has_exception and status', { has_exception: true, status: 'in_transit' }, /using shipments_open_exceptions/],
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
    const plans = await plansOf((db) => selectShipmentPage(db, own, shipmentFilters(query), cursor, 21));
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
      for (const plan of await plansOf((db) => selectShipmentPage(db, own, shipmentFilters(query), cursor, 21))) {
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
    for (const plan of await plansOf((db) => selectShipmentPage(db, own, filters, undefined, 21))) {
      expect(plan).toMatch(/using shipments_account_id_tracking_number_key/);
      expect(plan).toMatch(/Index Cond: .*account_id = .*tracking_number = /);
    }
  }
});

test('listPositions reads only the indexes of the partitions', async () => {
  const id = '019c93a5-a800-7000-8000-000000000001';
  const since = new Date(Date.now() - 86_400_000);
  for (const cursor of [undefined, new Date()]) {
    for (const plan of await plansOf((db) => selectPositions(db, own, id, cursor, 21, since))) {
      expect(plan).toMatch(/Index (Only )?Scan using positions_\w+_pkey/);
      // An empty partition may be read as a whole.
      expect(plan).not.toMatch(/Seq Scan on \S+ \S+ +\(cost=0\.00\.\.(?!0\.00)|Bitmap/);
    }
  }
});
