import { sql } from 'kysely';
import { expect } from 'vitest';
import { concurrently } from '../fixtures/concurrently.ts';
import { startOwnService, testWithOwnService } from '../fixtures/own-database.ts';
import { failuresIn } from '../fixtures/raw-http.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { createEndpoint, deliveries, received } from './endpoints.ts';
import { startReceiver } from './receiver.ts';

/** A service with its own database: the services of other files would share its endpoints. */
const test = testWithOwnService;

test('slow endpoints of an account on one host delay no endpoint of another account on that host', async ({
  service,
  account,
}) => {
  await using host = await startReceiver((response, { url }) => {
    if (url === '/fast') response.writeHead(204).end(); // the others get no response
  });
  const slow = await concurrently(5, () => createEndpoint(account, `http://127.0.0.1:${host.port}/slow`));
  await concurrently(20, () => newShipment(account));
  await received(host, 64); // requests of an account to a host at a time
  const other = await newAccount(service);
  const { path } = await createEndpoint(other, `http://127.0.0.1:${host.port}/fast`);
  await newShipment(other);
  await deliveries(other, path, ([only]) => only?.status === 'delivered');
  for (const endpoint of slow) {
    const found = await deliveries(account, endpoint.path, (all) => all.length === 20);
    expect(found.filter(({ attempts }) => attempts > 0)).toEqual([]); // no request has ended
  }
});

test('endpoints whose statements wait delay no endpoint of another account', async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startOwnService({ LOG_LEVEL: 'warn' }, log);
  await using receiver = await startReceiver();
  const [account, other] = [await newAccount(service), await newAccount(service)];
  const { path } = await createEndpoint(other, receiver.url);
  await concurrently(8, () => createEndpoint(account, receiver.url));
  await newShipment(other);
  await deliveries(other, path, (all) => all.length === 1 && all[0]?.status === 'delivered');
  const held = await service.db.startTransaction().execute();
  try {
    await sql`select from webhook_endpoints where account_id = ${account.id} for update`.execute(held);
    await newShipment(account);
    for (let count = 2; count <= 5; count++) {
      await newShipment(other);
      await deliveries(other, path, (all) => all.length === count && all.every(({ status }) => status === 'delivered'));
    }
    expect(failuresIn(log)).toEqual([]); // they still wait
    expect(receiver.received).toHaveLength(5);
  } finally {
    await held.rollback().execute();
  }
  await received(receiver, 5 + 8);
});
