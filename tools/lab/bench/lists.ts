import { query } from '@waybill/sandbox/postgres/client';
import { waitUntil } from '@waybill/sandbox/processes/wait-until';
import { startEnvironment } from '../chaos/environment.ts';
import { fillDatabase } from './data-set.ts';
import { markdown } from './table.ts';

/** Requests for 25 entries, with filters that match all shipments, few and none. */
const lists = [
  'shipments?total_count=true',
  'shipments?status=delivered',
  'shipments?status=cancelled',
  'shipments?status=scheduled,in_transit&total_count=true',
  'shipments?has_exception=true',
  'shipments?has_exception=true&status=in_transit',
  'shipments?reference=none',
  'shipments?reference=none&updated_since=2020-01-01T00:00:00Z',
  'shipments?tracking_number=FRT-2020-000001',
  'shipments?carrier_scac=NONE',
  'shipments?destination_city=Spokane&status=cancelled',
  'shipments?destination_city=none',
  'shipments?from_date=2090-01-01',
  'shipments?to_date=2020-01-01',
  'shipments?updated_since=2020-01-01T00:00:00Z',
  'shipments?updated_since=2020-01-01T00:00:00Z&status=dispatched',
  'shipments?pickup_before=2020-01-01T00:00:00Z',
  'shipments?pickup_from=2020-01-01&pickup_to=2090-01-01&status=scheduled',
  'shipments?delivery_from=2020-01-01',
  'events',
  'events?types=shipment.created',
  'events?types=shipment.cancelled',
];

/** Blocks that a list may read more of the largest data set than of the smallest one: some more levels of its indexes. */
const tolerance = { factor: 1.5, more: 20 };
const attempts = 5;
/** Milliseconds until the first clean-up has ended. */
const cleanUpTimeout = 300_000;

/**
 * Counts the blocks of the database that each list reads, with more and more shipments.
 * @throws when one reads more of them than before
 */
export async function measureLists(sizes: number[], signal: AbortSignal): Promise<string> {
  const columns: number[][] = [];
  for (const size of sizes) {
    columns.push(await blocksOf(size, signal));
    console.log(`${size} shipments: ${columns.at(-1)} blocks`);
  }
  const rows = lists.map((list, index) => [list, ...columns.map((blocks) => String(blocks[index]))]);
  const grown = rows.filter((_, index) => {
    const [first = 0, last = first] = [columns[0]?.[index], columns.at(-1)?.[index]];
    return last > tolerance.factor * first + tolerance.more;
  });
  if (grown.length > 0) throw new Error(`These lists read more blocks of more shipments: ${grown.join('; ')}`);
  const text = markdown([['GET /v1/…, limit=25', ...sizes.map((size) => size.toLocaleString('en'))], ...rows]);
  return `## Lists\n\nBlocks of 8 KiB that a list reads with so many shipments of 4 accounts, from the disk or not.\n\n${text}\n`;
}

/** Whether clean-up has made the partitions of the days for which events are retained: a list of all reads each of them. */
async function hasPartitions(databaseUrl: string): Promise<boolean> {
  const [row] = await query(
    databaseUrl,
    `select count(*)::integer from pg_inherits where inhparent = 'events'::regclass`,
  );
  return row?.count > 30;
}

/** For each list, the fewest blocks of some attempts: other statements of the service may run during one. */
async function blocksOf(shipments: number, signal: AbortSignal): Promise<number[]> {
  await using environment = await startEnvironment({ LOG_LEVEL: 'warn' }, signal, {
    postgresSettings: { shared_preload_libraries: 'pg_stat_statements', max_wal_size: '4GB' },
  });
  const { databaseUrl, shipper } = environment;
  await fillDatabase(databaseUrl, shipments, signal);
  await query(databaseUrl, 'create extension pg_stat_statements');
  if (!(await waitUntil(() => hasPartitions(databaseUrl), cleanUpTimeout)))
    throw new Error('Clean-up has not made the partitions of events.');
  const countOf = async (list: string): Promise<number> => {
    await query(databaseUrl, 'select pg_stat_statements_reset()');
    const headers = { Authorization: `Bearer ${shipper.apiKey}` };
    const response = await fetch(`${shipper.baseUrl}/${list}${list.includes('?') ? '&' : '?'}limit=25`, { headers });
    if (!response.ok) throw new Error(`${list} returns ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
    const [row] = await query(
      databaseUrl,
      `select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::integer as blocks from pg_stat_statements
       where query not like '%pg_stat_statements%'`,
    );
    return row?.blocks;
  };
  const fewest: number[] = [];
  for (const list of lists) {
    const counts: number[] = [];
    for (let attempt = 0; attempt < attempts; attempt++) counts.push(await countOf(list));
    fewest.push(Math.min(...counts));
  }
  return fewest;
}
