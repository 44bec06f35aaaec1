import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { at, newRoute } from '../../api/positions/route.ts';
import type { Service } from '../../fixtures/service.ts';
import { newShipment, shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { accountTables } from '../../fixtures/state.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';
import { disabledLongAgo, json, runHere } from '../cli/run.ts';

test('`waybill accounts delete` removes the rows and files of one disabled account', async ({ service }) => {
  const [account, other] = [await fullAccount(service), await fullAccount(service)];
  // More rows than a statement deletes.
  await sql`
    insert into idempotency_keys (account_id, key, fingerprint, status, headers, body, created_at)
    select ${account.id}, 'key-' || n, '', 200, '{}', '{}', now() from generate_series(1, 10000) n`.execute(service.db);
  const route = await newRoute(account);
  await sql`
    insert into positions (account_id, shipment_id, updated_at, lat, lng)
    select ${account.id}, ${uuidFromPublicId('ship', route.shipment.id)}, now() - n * interval '1 minute', 0, 0
    from generate_series(1, 7000) n`.execute(service.db);
  const before = await rowsOf(service, other.id);
  const empty = Object.keys(before).filter((table) => before[table] === 0);
  expect(empty, 'Insert rows of these tables in fullAccount.').toEqual([]);

  const remove = ['accounts', 'delete', account.id, '--yes'];
  const deleteHere = () => runHere(remove, { STORAGE_URL: service.files.url });
  expect(await deleteHere()).toMatchObject({ code: 1, stderr: expect.stringContaining('is not disabled') });
  await json(['accounts', 'disable', account.id]);
  expect(await deleteHere()).toMatchObject({ code: 1, stderr: expect.stringContaining('less than 10 seconds ago') });
  await disabledLongAgo(service.db, account.id);
  const { deleted } = await json<{ deleted: Record<string, number> }>(remove, { STORAGE_URL: service.files.url });
  expect(deleted.idempotency_keys).toBeGreaterThanOrEqual(10_000);
  expect(deleted.positions).toBeGreaterThanOrEqual(7_000);

  const after = await rowsOf(service, account.id);
  expect(Object.keys(after).filter((table) => after[table] !== 0)).toEqual(['audit_log']);
  expect(await service.files.list(account.id)).toEqual([]);
  expect(await rowsOf(service, other.id)).toEqual(before);
  expect(await service.files.list(other.id)).toHaveLength(2);
  expect(await deleteHere()).toMatchObject({
    code: 1,
    stderr: `There is no account ${account.id}.\n`,
  });
});

/** An account with rows in every table that has rows of accounts, and with two files. */
async function fullAccount(service: Service): Promise<TestAccount> {
  const account = await newAccount(service);
  const { id: shipment_id, tracking_number } = await shipmentIn(account, 'delivered');
  await account.client.createAccess({ shipment_id, scopes: ['tracking:read'] });
  await account.client.raiseException({ tracking_number, code: 'damaged', occurred_at: new Date() });
  await (await newRoute(account)).record([at(0), at(1)]);
  await newShipment(account);
  const { id } = await account.client.createWebhookEndpoint({
    url: 'https://example.com/hooks',
    types: ['shipment.cancelled'], // none occurs, so that the number of deliveries does not change
  });
  await account.client.sendTestWebhook({ webhook_endpoint_id: id });
  await account.client.createShipment(shipmentRequest(), { idempotencyKey: 'key' });
  await sql`insert into removed_events (account_id, last_number) values (${account.id}, 1)`.execute(service.db);
  return account;
}

/** The number of an account's rows in each table. */
async function rowsOf({ db }: Service, accountId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of await accountTables(db)) {
    const { rows } = await sql`select from ${sql.table(name)} where account_id = ${accountId}`.execute(db);
    counts[name] = rows.length;
  }
  return counts;
}
