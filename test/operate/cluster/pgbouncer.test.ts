import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { startPgBouncer } from '@waybill/tools/lab/cluster/pgbouncer';
import { expect } from 'vitest';
import { databaseUrl } from '../../fixtures/database/database-url.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { post } from '../../fixtures/requests/post.ts';
import { startService } from '../../fixtures/service/service.ts';
import { shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';
import { testWithCluster, why } from './programs.ts';

/** It occurs twice in a create: in the statement that inserts the shipment, and in the response that it stores. */
const city = shipmentRequest().origin.city;
/** Concurrent creates, most of which share a statement. */
const creates = 30;

/**
 * Starts a proxy in front of the run's PostgreSQL. It loses one response, to the first statement that inserts several
 * shipments, together with its connection.
 */
async function losesResponse() {
  const { hostname, port } = new URL(databaseUrl());
  let hasLost = false;
  const server = createServer((client) => {
    const database = createConnection(Number(port), hostname);
    let isInserting = false;
    client.on('data', (bytes) => {
      isInserting ||= !hasLost && bytes.toString('latin1').split(city).length > 5;
      database.write(bytes);
    });
    // PostgreSQL responds when the statement is committed.
    database.on('data', (bytes) => {
      if (!isInserting || hasLost) return void client.write(bytes);
      hasLost = true;
      client.resetAndDestroy();
    });
    client.on('error', () => {}).on('close', () => database.destroy());
    database.on('error', () => {}).on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ownPort = String((server.address() as AddressInfo).port);
  const url = Object.assign(new URL(databaseUrl()), { port: ownPort }).href;
  return { url, hasLost: () => hasLost, [Symbol.asyncDispose]: async () => void server.close() };
}

testWithCluster(`creates whose response PgBouncer loses are not executed a second time${why}`, async () => {
  await using proxy = await losesResponse();
  await using pgBouncer = await startPgBouncer(proxy.url);
  const DATABASE_URL = pgBouncer.through(databaseUrl());
  await using service = await startService({ DATABASE_URL, DATABASE_PREPARED: 'false' });
  const account = await newAccount(service);
  const create = { path: '/shipments', body: shipmentRequest() };
  const statuses = await concurrently(creates, async () => (await post(service, account, create)).status);
  expect(proxy.hasLost()).toBe(true);
  expect(statuses).toContain(503);
  expect(statuses.filter((status) => status !== 503 && status !== 201)).toEqual([]);
  expect((await account.client.listShipments({ limit: 100 })).data).toHaveLength(creates);
});
