import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Environment, startEnvironment } from '../chaos/environment.ts';
import { fillDatabase, sample } from './data-set.ts';
import { type OperationName, operations } from './operations.ts';
import { checkResponses, startPeers } from './servers.ts';

let environment: Environment;
let database: pg.Client;
let numbers: string[];
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  const { signal } = new AbortController();
  environment = stack.use(await startEnvironment({ CHECK_RESPONSES: 'true', LOG_LEVEL: 'warn' }, signal));
  const { databaseUrl, accountId } = environment;
  await fillDatabase(databaseUrl, 1000, signal);
  numbers = await sample(databaseUrl, accountId, `status = 'in_transit' and route_since is null`);
  database = new pg.Client(databaseUrl);
  await database.connect();
  stack.defer(() => database.end());
});
afterAll(() => stack.disposeAsync());

/** Sends the same request to all servers, and then one about a shipment of its own to each. @returns its tracking numbers */
async function request(name: OperationName): Promise<string[]> {
  const operation = operations[name];
  const send = (to: typeof servers, number = '') =>
    checkResponses(to, operation.template(environment, [number]), operation);
  const servers = await startPeers(environment, operation, stack);
  await send(servers, numbers.pop());
  const sent = servers.map(() => numbers.pop() ?? '');
  for (const [index, server] of servers.entries()) await send([server], sent[index]);
  return sent;
}

test('the getTracking peers return the responses of the service', async () => {
  expect(await request('getTracking')).toHaveLength(4);
});

test.for([
  ['createShipment', false],
  ['createShipment with items', true],
] as const)('the %s peer returns the response of the service and writes the same rows', async ([name, hasItems]) => {
  await request(name);
  const { rows } = await database.query(
    `
    select to_jsonb(s) - '{id,tracking_number,updated_at}'::text[] as shipment,
      jsonb_agg(to_jsonb(e) - '{shipment_id,occurred_at}'::text[]) as events
    from shipments s join tracking_events e on e.shipment_id = s.id
    where s.notes is not null and (s.details is not null) = $1 group by s.account_id, s.id order by s.id`,
    [hasItems],
  );
  expect(rows).toHaveLength(4);
  expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(1);
});

test('the recordPositions peer returns the response of the service and writes the same rows', async () => {
  const sent = await request('recordPositions');
  const { rows } = await database.query(
    `select count(*)::int, max(p.lat) = c.lat and max(p.lng) = c.lng and max(p.updated_at) = c.updated_at as is_current,
       min(p.updated_at) = s.route_since as is_route
     from shipments s join positions p on p.shipment_id = s.id join current_positions c on c.shipment_id = s.id
     where s.tracking_number = any($1) group by s.account_id, s.id, c.account_id, c.shipment_id`,
    [sent],
  );
  expect(rows).toEqual(sent.map(() => ({ count: 20, is_current: true, is_route: true })));
});
