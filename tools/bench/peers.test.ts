import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Environment, startEnvironment } from '../chaos/environment.ts';
import { fillDatabase, sample } from './data-set.ts';
import { type OperationName, operations } from './operations.ts';
import { checkResponses, startPeers } from './servers.ts';

let environment: Environment;
let database: pg.Client;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  const { signal } = new AbortController();
  environment = stack.use(await startEnvironment({ CHECK_RESPONSES: 'true', LOG_LEVEL: 'warn' }, signal));
  await fillDatabase(environment.databaseUrl, 1000, signal);
  database = new pg.Client(environment.databaseUrl);
  await database.connect();
  stack.defer(() => database.end());
});
afterAll(() => stack.disposeAsync());

/** Sends each server a request about its own shipment. @returns the tracking numbers */
async function requestEach(name: OperationName): Promise<string[]> {
  const { databaseUrl, accountId } = environment;
  const numbers = await sample(databaseUrl, accountId, 'tracking_number', `status = 'in_transit' and route_since is null`);
  const servers = await startPeers(environment, operations[name], stack);
  for (const [index, server] of servers.entries()) {
    const value = numbers[index] ?? '';
    await checkResponses([server], operations[name].template(environment, [value]), operations[name]);
  }
  return numbers.slice(0, servers.length);
}
