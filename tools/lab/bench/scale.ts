import { query } from '@waybill/sandbox/postgres/client';
import type { Environment } from '../chaos/environment.ts';
import { compare, type Plan } from './compare.ts';
import { sample } from './data-set.ts';
import { operations } from './operations.ts';
import { requestOf } from './request-template.ts';
import { serviceOf } from './servers.ts';
import { markdownTable } from './table.ts';

/**
 * Measures operations on random shipments over one connection, and how long it takes to drop the positions and the events of
 * a day: compare data sets of different sizes.
 */
export async function measureScale(environment: Environment, plan: Plan): Promise<void> {
  const { databaseUrl, accountId } = environment;
  const sampled = (column: string, where?: string) => sample(databaseUrl, accountId, column, where);
  const time = `to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  const inTransit = await sampled('tracking_number', `status = 'in_transit'`);
  const target = { ...environment, params: { tracking_number: '@value' } };
  const list = (query: string, values: string[]) => requestOf('listShipments', target, { query, values });
  const events = (query: string) => requestOf('listEvents', target, { query });
  const withRoute = await sampled('tracking_number', 'route_since is not null');
  const times = await sampled(time);
  const templates = {
    getTracking: requestOf('getTracking', target, { values: await sampled('tracking_number') }),
    'listShipments before a time': list('?to_date=@value', times),
    'listShipments by status': list('?status=delivered&to_date=@value', times),
    'listShipments by reference': list('?reference=@value', await sampled('reference', 'reference is not null')),
    listPositions: requestOf('listPositions', target, { values: withRoute }),
    listEvents: events('?limit=100'),
    'listEvents of a rare type': events('?types=tracking.eta_changed'),
    createShipment: operations.createShipment.template(environment, ['']),
    recordPositions: operations.recordPositions.template(environment, inTransit),
  };
  const rows: string[][] = [];
  const service = serviceOf(environment);
  for (const [name, template] of Object.entries(templates)) {
    const [median] = await compare([service], template, 1, plan);
    if (!median) continue;
    const { p50, p99, node, postgres } = median.figures;
    rows.push([name, p50.toFixed(2), p99.toFixed(2), node.toFixed(), postgres.toFixed()]);
  }
  console.log(`\n${markdownTable([['scale', 'p50 ms', 'p99 ms', 'CPU µs Node', 'PostgreSQL'], ...rows])}`);
  for (const [table, age] of [
    ['positions', 30],
    ['events', 20],
  ] as const) {
    const [day] = await query(
      databaseUrl,
      `select relname as name, reltuples::int8 as rows from pg_class
       where relname = '${table}_' || to_char(now() at time zone 'UTC' - interval '${age} days', 'YYYY_MM_DD')`,
    );
    const start = performance.now();
    await query(databaseUrl, `drop table ${day?.name}`);
    console.log(`Dropped a day with ${day?.rows} ${table} in ${(performance.now() - start).toFixed()} ms.`);
  }
}
