import type { Environment, Parties } from '../chaos/environment.ts';
import { compare, type Plan } from './compare.ts';
import { sample } from './data-set.ts';
import { type Load, runLoad } from './load-generator.ts';
import { get, operations } from './operations.ts';
import { serviceOf } from './servers.ts';
import { markdownTable } from './table.ts';

const row = (name: string, { requests, p50, p99, failures }: Load): string[] => {
  if (failures > 0) throw new Error(`${failures} of ${requests} requests failed: ${name}.`);
  return [name, String(requests), p50.toFixed(2), p99.toFixed(2)];
};
const head = ['requests', 'p50 ms', 'p99 ms'];

/** Measures the reads of one account over four connections, alone and while another account creates shipments over 64 connections. */
export async function measureIsolation(environment: Environment, reader: Parties, seconds: number): Promise<void> {
  const { databaseUrl, shipper, signal } = environment;
  const { origin } = new URL(shipper.baseUrl);
  const reads = get(reader.shipper, '/tracking/@value', await sample(databaseUrl, reader.accountId, 'tracking_number'));
  const creations = operations.createShipment.template(environment, ['unused']);
  const read = () => runLoad(origin, reads, 4, seconds, signal);
  const alone = await read();
  const [beside, load] = await Promise.all([read(), runLoad(origin, creations, 64, seconds, signal)]);
  const rows = [row('getTracking, alone', alone), row('getTracking, beside another account', beside)];
  rows.push(row('createShipment of the other account', load));
  console.log(`\n${markdownTable([['isolation', ...head], ...rows])}`);
}

/** Measures reads of random shipments over one connection: compare data sets of different sizes. */
export async function measureScale(environment: Environment, plan: Plan): Promise<void> {
  const { databaseUrl, shipper, accountId } = environment;
  const sampled = (column: string, where?: string) => sample(databaseUrl, accountId, column, where);
  const time = `to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  const reads = {
    getTracking: get(shipper, '/tracking/@value', await sampled('tracking_number')),
    'listShipments before a time': get(shipper, '/shipments?to_date=@value', await sampled(time)),
    'listShipments by status': get(shipper, '/shipments?status=delivered&to_date=@value', await sampled(time)),
    'listShipments by reference': get(
      shipper,
      '/shipments?reference=@value',
      await sampled('reference', 'reference is not null'),
    ),
    listPositions: get(
      shipper,
      '/tracking/@value/positions',
      await sampled('tracking_number', 'route_since is not null'),
    ),
  };
  const rows: string[][] = [];
  const service = serviceOf(environment);
  for (const [name, template] of Object.entries(reads)) {
    const [median] = await compare([service], template, 1, plan);
    if (!median) continue;
    const { p50, p99, node, postgres } = median.figures;
    rows.push([name, p50.toFixed(2), p99.toFixed(2), node.toFixed(), postgres.toFixed()]);
  }
  console.log(`\n${markdownTable([['scale', 'p50 ms', 'p99 ms', 'CPU µs Node', 'PostgreSQL'], ...rows])}`);
}
