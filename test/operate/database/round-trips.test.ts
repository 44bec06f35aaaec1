import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { type OperationId, operationOf } from '../../fixtures/contract.ts';
import { databaseUrl } from '../../fixtures/database-url.ts';
import { send } from '../../fixtures/http.ts';
import { ready } from '../../fixtures/requests.ts';
import { startService } from '../../fixtures/service.ts';
import { newAccount } from '../../fixtures/test.ts';

const limits = { createShipment: 1, recordTrackingEvent: 3, recordPositions: 1, getTracking: 1 };

test('requests take no more round trips to PostgreSQL than these', async () => {
  let trips = 0;
  const url = new URL(databaseUrl());
  const target = Number(url.port);
  const proxy = createServer((client) => {
    const postgres = connect(target, '127.0.0.1');
    let isWaiting = false;
    client.on('data', () => {
      if (!isWaiting) trips++;
      isWaiting = true;
    });
    postgres.on('data', () => {
      isWaiting = false;
    });
    client.pipe(postgres).pipe(client);
    for (const socket of [client, postgres]) socket.on('error', () => [client, postgres].map((end) => end.destroy()));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  url.port = String((proxy.address() as AddressInfo).port);
  await using service = await startService({ DATABASE_URL: url.href });
  const found: Record<string, number> = {};
  // At first statements are prepared, and a job of the service may send others meanwhile.
  for (const [id, limit] of Object.entries(limits) as [OperationId, number][])
    for (let attempt = 0; attempt < 20 && (found[id] ?? 99) > limit; attempt++) {
      const { client, key } = await newAccount(service);
      const { path, body } = await ready(id, { client });
      trips = 0;
      await send(service.baseUrl, operationOf(id), { key, path, body, headers: { 'idempotency-key': 'one' } });
      found[id] = Math.min(found[id] ?? 99, trips);
    }
  proxy.close();
  expect(found).toEqual(limits);
});
