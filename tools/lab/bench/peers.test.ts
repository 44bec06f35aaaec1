import { query } from '@waybill/sandbox/postgres/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Environment, startEnvironment } from '../chaos/environment.ts';
import { fillDatabase, sample } from './data-set.ts';
import { type Operation, operations } from './operations.ts';
import { checkResponses, startPeers } from './servers.ts';

let environment: Environment;
let numbers: string[];
const stack = new AsyncDisposableStack();
/** The short form of the tests needs no database of its own for it. */
const isLong = process.env.WAYBILL_LONG === 'true';
beforeAll(async () => {
  if (!isLong) return;
  const { signal } = new AbortController();
  environment = stack.use(await startEnvironment({ CHECK_RESPONSES: 'true', LOG_LEVEL: 'warn' }, signal));
  await fillDatabase(environment.databaseUrl, 1000, signal);
  numbers = await sample(environment.databaseUrl, environment.accountId);
});
afterAll(() => stack.disposeAsync());

/** The rows of new shipments, and those of routes, without what differs between two requests. */
const shipments = (condition: string): string => `
  select to_jsonb(s) - '{id,tracking_number,updated_at}'::text[] as shipment,
    jsonb_agg(to_jsonb(e) - '{shipment_id,occurred_at}'::text[]) as events
  from shipments s join tracking_events e on e.shipment_id = s.id
  where s.notes is not null and ${condition} group by s.account_id, s.id`;
const routes = `
  select count(*)::int, max(p.lat) = c.lat and max(p.lng) = c.lng and max(p.updated_at) = c.updated_at as is_current,
    min(p.updated_at) = s.route_since as is_route
  from shipments s join positions p on p.shipment_id = s.id join current_positions c on c.shipment_id = s.id
  group by s.account_id, s.id, c.account_id, c.shipment_id`;

test
  .runIf(isLong)
  .for<[name: keyof typeof operations, peers: number, select: string, rows: number, first: object | undefined]>([
    ['getTracking', 3, routes, 0, undefined],
    ['createShipment', 1, shipments('s.details is null'), 4, {}],
    ['createShipment with items', 1, shipments('s.details is not null'), 4, {}],
    ['recordPositions', 2, routes, 4, { count: 20, is_current: true, is_route: true }],
  ])(
  'each %s peer returns the response of the service and writes the same rows',
  async ([name, peers, ...expected]) => {
    const operation: Operation = operations[name];
    const servers = await startPeers(environment, operation, stack);
    expect(servers).toHaveLength(1 + peers);
    // The same request to all, and one about a shipment of its own to each.
    for (const to of [servers, ...servers.map((server) => [server])])
      await checkResponses(to, await operation.template(environment, numbers.splice(0, 1)), operation);
    const [select, count, first] = expected;
    const rows = await query(environment.databaseUrl, select);
    expect(rows).toEqual(Array(count).fill(rows[0]));
    expect(rows[0]).toEqual(first && expect.objectContaining(first));
  },
);
