import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { type OperationId, operationOf } from '../../fixtures/contract/contract.ts';
import { databaseUrl } from '../../fixtures/database/database-url.ts';
import { send } from '../../fixtures/requests/send.ts';
import { ready } from '../../fixtures/requests/valid-requests.ts';
import { startService } from '../../fixtures/service/service.ts';
import { newAccount } from '../../fixtures/test.ts';

const limits = { createShipment: 1, recordTrackingEvent: 3, recordPositions: 1, getTracking: 1 };

test('requests take no more round trips to PostgreSQL than these', async () => {
  let trips = 0;
  const url = new URL(databaseUrl());
  const waiting = new Set<unknown>();
  const proxy = createServer((client) => {
    const postgres = connect(Number(new URL(databaseUrl()).port), '127.0.0.1');
    client.on('data', () => {
      if (!waiting.has(client)) trips++;
      waiting.add(client);
    });
    postgres.on('data', () => void waiting.delete(client));
    client.pipe(postgres).pipe(client);
    for (const socket of [client, postgres]) socket.on('error', () => [client, postgres].map((end) => end.destroy()));
  }).listen(0, '127.0.0.1');
  await once(proxy.unref(), 'listening');
  url.port = String((proxy.address() as AddressInfo).port);
  await using service = await startService({ DATABASE_URL: url.href });
  for (const [id, limit] of Object.entries(limits) as [OperationId, number][]) {
    let least = 99; // at first statements are prepared, and a job of the service may send others meanwhile
    for (let attempt = 0; attempt < 20 && least > limit; attempt++) {
      const { client, key } = await newAccount(service);
      const request = { key, ...(await ready(id, { client })), headers: { 'idempotency-key': 'one' } };
      await client.listShipments(); // looks up the key
      trips = 0;
      await send(service.baseUrl, operationOf(id), request);
      least = Math.min(least, trips);
    }
    expect(least, id).toBeLessThanOrEqual(limit);
  }
});
