import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { at, newRoute } from '../../api/positions/route.ts';
import { accountTables } from '../../fixtures/database/state-of-account.ts';
import type { Service } from '../../fixtures/service/service.ts';
import { newShipment, shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';
import { disabledLongAgo, json, runHere } from '../cli/run-waybill.ts';

/** An account with rows in every table that has rows of accounts, and with the files of two deliveries. */
async function fullAccount(service: Service): Promise<TestAccount> {
  const account = await newAccount(service);
  const { id: shipment_id, tracking_number } = await shipmentIn(account, 'delivered');
  await account.client.createAccess({ shipment_id, scopes: ['tracking:read'] });
  await account.client.raiseException({ tracking_number, code: 'damaged', occurred_at: new Date() });
  await (await newRoute(account)).record([at(0), at(1)]);
  const voided = await shipmentIn(account, 'delivered');
  const { timeline } = await account.client.getTracking({ tracking_number: voided.tracking_number });
  const event = { tracking_number: voided.tracking_number, event_id: timeline.at(-1)?.id ?? '' };
  await account.client.voidTrackingEvent({ ...event, reason: 'Another shipment' });
  await newShipment(account, { references: [{ type: 'order', value: '4471' }] });
  // None of its events occurs, so that the number of deliveries does not change.
  const endpoint = { url: 'https://example.com/hooks', types: ['shipment.cancelled' as const] };
  const { id } = await account.client.createWebhookEndpoint(endpoint);
  await account.client.sendTestWebhook({ webhook_endpoint_id: id });
  await account.client.createShipment(shipmentRequest(), { idempotencyKey: 'key' });
  await sql`insert into removed_events (account_id, last_number) values (${account.id}, 1)`.execute(service.db);
  return account;
}

/** The number of an account's rows in each table. */
async function rowsOf({ db }: Service, { id }: TestAccount): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of await accountTables(db)) {
    const { rows } = await sql`select from ${sql.table(name)} where account_id = ${id}`.execute(db);
    counts[name] = rows.length;
  }
  return counts;
}

test('`waybill accounts delete` removes the rows and files of one disabled account', async ({ service }) => {
  const { db, files } = service;
  const [account, other] = [await fullAccount(service), await fullAccount(service)];
  // More rows than a statement deletes.
  await sql`
    insert into idempotency_keys (account_id, key, fingerprint, status, headers, body, created_at)
    select ${account.id}, 'key-' || n, '', 200, '{}', '{}', now() from generate_series(1, 10000) n`.execute(db);
  const { shipment } = await newRoute(account);
  await sql`
    insert into positions (account_id, shipment_id, updated_at, lat, lng)
    select ${account.id}, ${uuidFromPublicId('ship', shipment.id)}, now() - n * interval '1 minute', 0, 0
    from generate_series(1, 7000) n`.execute(db);
  const before = await rowsOf(service, other);
  const empty = Object.keys(before).filter((table) => before[table] === 0);
  expect(empty, 'Insert rows of these tables in fullAccount.').toEqual([]);

  const remove = ['accounts', 'delete', account.id, '--yes'];
  const settings = { STORAGE_URL: files.url };
  const expectRefused = async (message: string) =>
    expect(await runHere(remove, settings)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  await expectRefused('is not disabled');
  await json(['accounts', 'disable', account.id]);
  await expectRefused('less than 10 seconds ago');
  await disabledLongAgo(db, account.id);
  const { deleted } = await json<{ deleted: Record<string, number> }>(remove, settings);
  expect(deleted.idempotency_keys).toBeGreaterThanOrEqual(10_000);
  expect(deleted.positions).toBeGreaterThanOrEqual(7_000);

  const after = await rowsOf(service, account);
  expect(Object.keys(after).filter((table) => after[table] !== 0)).toEqual(['audit_log']);
  expect(await files.list(account.id)).toEqual([]);
  expect(await rowsOf(service, other)).toEqual(before);
  expect(await files.list(other.id)).toHaveLength(4);
  await expectRefused(`There is no account ${account.id}.\n`);
});
