import { uuidFromPublicId } from '@waybill/http/identifiers';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { startOwnService } from '../fixtures/own-database.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { createEndpoint, received, typesOf } from './endpoints.ts';
import { startReceiver } from './receiver.ts';

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
    join webhook_endpoints e on e.id = d.endpoint_id where d.id = ${id}`.execute(service.db);
  expect(rows).toEqual([{ status: 'pending', attempts: 0, failing_since: null }]);
  expect(log).toHaveLength(1);
});
