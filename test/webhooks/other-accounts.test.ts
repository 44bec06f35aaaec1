import type { ServerResponse } from 'node:http';
import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { concurrently } from '../fixtures/concurrently.ts';
import { startOwnService } from '../fixtures/own-database.ts';
import { failuresIn } from '../fixtures/raw-http.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { allDelivered, createEndpoint, deliveries, received, typesOf } from './endpoints.ts';
import { startReceiver } from './receiver.ts';

test('endpoints whose statements wait delay no endpoint of another account', async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startOwnService({ LOG_LEVEL: 'warn' }, log);
  await using receiver = await startReceiver();
  const [account, other] = [await newAccount(service), await newAccount(service)];
  const { path } = await createEndpoint(other, receiver.url);
  await concurrently(8, () => createEndpoint(account, receiver.url));
  await newShipment(other);
  await allDelivered(other, path, 1);
  const held = await service.db.startTransaction().execute();
  try {
    await sql`select from webhook_endpoints where account_id = ${account.id} for update`.execute(held);
    await newShipment(account);
    for (let count = 2; count <= 5; count++) {
      await newShipment(other);
      await allDelivered(other, path, count);
    }
    expect(failuresIn(log)).toEqual([]); // they still wait
    expect(receiver.received).toHaveLength(5);
  } finally {
    await held.rollback().execute();
  }
  await received(receiver, 5 + 8);
});

test('an endpoint whose receiver fails delays no other endpoint of its account', async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startOwnService({ LOG_LEVEL: 'warn' }, log);
  await using broken = await startReceiver(500);
  await using receiver = await startReceiver();
  const account = await newAccount(service);
  const { path: failing } = await createEndpoint(account, broken.url);
  const { path } = await createEndpoint(account, receiver.url);
  for (let count = 1; count <= 2; count++) {
    await newShipment(account);
    await deliveries(account, failing, (all) => all.length === count && all.every(({ attempts }) => attempts > 0));
  }
  const held = await service.db.startTransaction().execute();
  try {
    const id = uuidFromPublicId('whe', failing.webhook_endpoint_id);
    await sql`select from webhook_endpoints where account_id = ${account.id} and id = ${id} for update`.execute(held);
    for (let count = 3; count <= 6; count++) {
      await newShipment(account);
      await allDelivered(account, path, count);
    }
    expect(failuresIn(log)).toEqual([]); // the statements of the failing endpoint still wait
  } finally {
    await held.rollback().execute();
  }
});

test('events stay in the feed while an endpoint has as many requests under way as it may', async () => {
  await using service = await startOwnService();
  const waiting: ServerResponse[] = [];
  let isSlow = true;
  await using slow = await startReceiver((response) => {
    if (isSlow) waiting.push(response);
    else response.writeHead(204).end();
  });
  await using receiver = await startReceiver();
  const account = await newAccount(service);
  const { path } = await createEndpoint(account, slow.url);
  await createEndpoint(account, receiver.url);
  await concurrently(16, () => newShipment(account));
  await received(slow, 16);
  for (let batch = 0; batch < 20; batch++) await concurrently(30, () => newShipment(account));
  await received(receiver, 616);
  const { rows } = await sql`select from webhook_deliveries
    where account_id = ${account.id} and endpoint_id = ${uuidFromPublicId('whe', path.webhook_endpoint_id)}`.execute(
    service.db,
  );
  expect(rows.length).toBeLessThan(616);
  isSlow = false;
  for (const response of waiting) response.writeHead(204).end();
  await received(slow, 616);
});

test('an error of the service in the request of a webhook is logged, counts as no attempt and delays no other event', async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startOwnService({ LOG_LEVEL: 'error' }, log);
  await using receiver = await startReceiver();
  const account = await newAccount(service);
  const { path } = await createEndpoint(account, receiver.url);
  await account.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  const id = uuidFromPublicId('whd', (await account.client.sendTestWebhook(path)).id);
  // No event is created at this time, and none can be made of it.
  await sql`update webhook_deliveries set event_created_at = 'infinity' where id = ${id}`.execute(service.db);
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await vi.waitFor(() => expect(log).toHaveLength(1), waitTimeout);
  expect(log[0]).toMatchObject({ level: 50, accountId: account.id, msg: 'could not make the request of a webhook' });
  await newShipment(account);
  await received(receiver, 1);
  expect(typesOf(receiver)).toEqual(['shipment.created']);
  const { rows } = await sql`select d.status, attempts, failing_since from webhook_deliveries d
    join webhook_endpoints e on e.account_id = d.account_id and e.id = d.endpoint_id where d.id = ${id}`.execute(
    service.db,
  );
  expect(rows).toEqual([{ status: 'pending', attempts: 0, failing_since: null }]);
  expect(log).toHaveLength(1);
});
