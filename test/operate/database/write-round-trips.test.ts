import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { type OperationId, operationOf } from '../../fixtures/contract.ts';
import { databaseUrl } from '../../fixtures/database-url.ts';
import { send } from '../../fixtures/http.ts';
import { ready } from '../../fixtures/requests.ts';
import { startService } from '../../fixtures/service.ts';
import { newAccount } from '../../fixtures/test.ts';

/**
 * Starts a TCP proxy in front of PostgreSQL that counts the round trips of each transaction: how often a client sends
 * something for the first time since a response.
 */
async function startCounter() {
  const transactions: number[] = [];
  const server = createServer((client) => {
    const postgres = connect({ port: Number(new URL(databaseUrl()).port), host: '127.0.0.1' });
    let trips = 0;
    let isAnswered = true;
    client.on('data', (chunk: Buffer) => {
      const isBegin = chunk.includes('begin\0');
      if (isBegin) trips = 0;
      if (isAnswered || isBegin) trips++;
      isAnswered = false;
      if (chunk.includes('commit\0')) transactions.push(trips);
    });
    postgres.on('data', () => {
      isAnswered = true;
    });
    client.pipe(postgres).pipe(client);
    for (const end of [client, postgres]) end.on('error', () => [client, postgres].map((each) => each.destroy()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    transactions,
    url: Object.assign(new URL(databaseUrl()), { hostname: '127.0.0.1', port: String(port) }).href,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

/** The round trips of the transaction of a write. `createShipment` and `recordPositions` have one, without `begin` and `commit`. */
const roundTrips: Partial<Record<OperationId, number>> = {
  updateShipment: 3,
  cancelShipment: 3,
  createAccess: 3,
  deleteAccess: 2,
  recordTrackingEvent: 3,
  raiseException: 4,
  resolveException: 3,
  createProofUpload: 4,
  deleteProofUpload: 3,
  submitProofOfDelivery: 5,
};

test('writes take no more round trips to PostgreSQL than these', async () => {
  await using counter = await startCounter();
  await using service = await startService({ DATABASE_URL: counter.url });
  const found: typeof roundTrips = {};
  for (const [id, expected] of Object.entries(roundTrips) as [OperationId, number][]) {
    let least = Number.POSITIVE_INFINITY;
    // On a busy machine, what is sent together may arrive in parts, and a transaction of the background counts, too.
    for (let attempt = 0; attempt < 5 && least > expected; attempt++) {
      const account = await newAccount(service);
      const { path, body } = await ready(id, account);
      counter.transactions.length = 0;
      const request = { key: account.key, path, body, headers: { 'idempotency-key': 'one' } };
      const { status } = await send(service.baseUrl, operationOf(id), request);
      expect(status, id).toBeLessThan(300);
      least = Math.min(least, Math.max(...counter.transactions));
    }
    found[id] = least;
  }
  expect(found).toEqual(roundTrips);
});
