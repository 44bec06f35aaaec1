import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { sql } from 'kysely';
import { beforeEach, expect, vi } from 'vitest';
import { hold } from '../fixtures/database/locks.ts';
import { startOwnService } from '../fixtures/database/own-database.ts';
import { concurrently } from '../fixtures/requests/concurrently.ts';
import { failuresIn } from '../fixtures/requests/raw-http.ts';
import type { Service } from '../fixtures/service/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { test as base, newAccount, perFile } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { allDelivered, createEndpoint, deliveries, received, typesOf } from './endpoint-state.ts';
import { startReceiver } from './receiver.ts';

const log: Record<string, unknown>[] = [];
beforeEach(() => void log.splice(0));
const test = base.extend<{ $file: { service: Service } }>({
  service: perFile(() => startOwnService({ LOG_LEVEL: 'warn' }, log)),
});

test('endpoints whose statements wait delay none of another account or with another receiver', async ({
  service,
  account,
}) => {
  await using receiver = await startReceiver();
  await using broken = await startReceiver(500);
  const other = await newAccount(service);
  const { path } = await createEndpoint(other, receiver.url);
  const { path: failing } = await createEndpoint(other, broken.url);
  await concurrently(8, () => createEndpoint(account, receiver.url));
  for (let count = 1; count <= 2; count++) {
    await newShipment(other);
    await deliveries(other, failing, (all) => all.length === count && all.every(({ attempts }) => attempts > 0));
  }
  const failingId = uuidFromPublicId('whe', failing.webhook_endpoint_id);
  const lock = {
    async execute(trx: Parameters<ReturnType<typeof sql>['execute']>[0]) {
      await sql`select from webhook_endpoints where account_id = ${account.id} for update`.execute(trx);
      await sql`select from webhook_endpoints where account_id = ${other.id} and id = ${failingId} for update`.execute(
        trx,
      );
    },
  };
  await using held = await hold(service.db, lock);
  await newShipment(account);
  for (let count = 3; count <= 6; count++) {
    await newShipment(other);
    await allDelivered(other, path, count);
  }
  expect(failuresIn(log)).toEqual([]); // they still wait
  expect(receiver.received).toHaveLength(6);
  await held.release();
  await received(receiver, 6 + 8);
});

test('an error of the service in the request of a webhook is logged, counts as no attempt and delays no other event', async ({
  service,
  account,
}) => {
  await using receiver = await startReceiver();
  const { path } = await createEndpoint(account, receiver.url);
  await account.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  const id = uuidFromPublicId('whd', (await account.client.sendTestWebhook(path)).id);
  // No event is created at this time, and none can be made of it.
  await sql`update webhook_deliveries set event_created_at = 'infinity' where id = ${id}`.execute(service.db);
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  const errors = () => log.filter(({ level }) => level === 50);
  await vi.waitFor(() => expect(errors()).toHaveLength(1), waitTimeout);
  expect(errors()).toMatchObject([{ accountId: account.id, msg: 'could not make the request of a webhook' }]);
  await newShipment(account);
  await received(receiver, 1);
  expect(typesOf(receiver)).toEqual(['shipment.created']);
  const { rows } = await sql`select d.status, attempts, failing_since from webhook_deliveries d
    join webhook_endpoints e on e.account_id = d.account_id and e.id = d.endpoint_id where d.id = ${id}`.execute(
    service.db,
  );
  expect(rows).toEqual([{ status: 'pending', attempts: 0, failing_since: null }]);
  expect(errors()).toHaveLength(1);
});
