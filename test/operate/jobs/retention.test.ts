import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import type { Retention } from '@waybill/server/feature';
import { cleanUp } from '@waybill/server/jobs/clean-up';
import { storageKey } from '@waybill/server/storage/storage';
import { sql } from 'kysely';
import { expect, onTestFinished, vi } from 'vitest';
import { concurrently } from '../../fixtures/concurrently.ts';
import { testWithoutCleanUp as test } from '../../fixtures/own-database.ts';
import type { Service } from '../../fixtures/service.ts';
import { newShipment, shipmentIn } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';

const clean = ({ db, storage }: Service, retention: Omit<Retention, 'positionDays'>) =>
  cleanUp({ db, storage, retention: { positionDays: 90, ...retention } });

const uuidOf = ({ id }: { id: string }): string => uuidFromPublicId('ship', id);

/** Makes shipments as old as if nothing had happened to them since. */
const age = ({ db }: Service, shipments: { id: string }[], days: string) =>
  sql`update shipments set updated_at = now() - ${days}::interval where id = any(${shipments.map(uuidOf)})`.execute(db);

/** The tables with a row that has the id of a shipment. */
async function tablesWith({ db }: Service, shipment: { id: string }): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where column_name = 'shipment_id' and table_schema = 'public' and table_name !~ '_\\d{4}_|_default$'
    order by 1`.execute(db);
  const found = await Promise.all(
    rows.map(async ({ name }) => {
      const { rows } =
        await sql`select from ${sql.table(name)} where shipment_id = ${uuidOf(shipment)} limit 1`.execute(db);
      return rows.length > 0 ? [name] : [];
    }),
  );
  return found.flat();
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-export-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('clean-up exports and removes ended shipments with their files after SHIPMENT_DAYS, and not before', async ({
  service,
}) => {
  const account = await newAccount(service);
  const delivered = await shipmentIn(account, 'delivered');
  const cancelled = await newShipment(account);
  await account.client.cancelShipment({ shipment_id: cancelled.id, reason: 'A test' });
  const others = [await shipmentIn(account, 'delivered'), await shipmentIn(account, 'in_transit')] as const;
  await account.client.createAccess({ shipment_id: delivered.id, scopes: ['shipments:read'] });
  const proof = await account.client.getProofOfDelivery({ tracking_number: delivered.tracking_number });
  const signature = Buffer.from(await (await fetch(proof.signature_url ?? '')).bytes());
  const bytes = async () => {
    const { rows } = await sql<{ bytes: string }>`
      select bytes from stored_bytes where account_id = ${account.id}`.execute(service.db);
    return Number(rows[0]?.bytes);
  };
  await sql`
    insert into positions (account_id, shipment_id, updated_at, lat, lng)
    values (${account.id}, ${uuidOf(delivered)}, now() - interval '40 days', 47.5, -122.5)`.execute(service.db);
  const before = await bytes();
  const { rows: uploads } = await sql<{ id: string; size: number; kind: string }>`
    select id, size, kind from proof_uploads where shipment_id = ${uuidOf(delivered)}`.execute(service.db);
  await age(service, [delivered, cancelled, others[1]], '40 days');
  await age(service, [others[0]], '39 days 23 hours');

  const exportFolder = await newFolder();
  expect((await clean(service, {})).shipments).toBe(0);
  expect((await clean(service, { shipments: { days: 40, exportFolder } })).shipments).toBe(2);
  for (const { id: shipment_id } of [delivered, cancelled])
    await expect(account.client.getShipment({ shipment_id })).rejects.toMatchObject({ code: 'not_found' });
  for (const { id: shipment_id } of others)
    expect((await account.client.getShipment({ shipment_id })).id).toBe(shipment_id);
  expect((await account.client.getProofOfDelivery({ tracking_number: others[0].tracking_number })).signed_by).toBe(
    proof.signed_by,
  );
  // Events stay as long as those of others: a reader of the feed misses none.
  expect(await tablesWith(service, delivered)).toEqual(['events']);
  expect(await bytes()).toBe(before - uploads.reduce((sum, { size }) => sum + size, 0));
  for (const { id } of uploads) expect(await service.storage.open(storageKey(account.id, id))).toBeUndefined();

  const [name = '', ...more] = await readdir(join(exportFolder, account.id));
  expect([name, more]).toEqual([expect.stringMatching(/^shipments-\d{4}-.*Z-.*\.ndjson$/), []]);
  const path = join(exportFolder, account.id, name);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const exported = lines.map((line) => JSON.parse(line));
  expect(exported.map(({ shipment }) => shipment.tracking_number).sort()).toEqual(
    [delivered.tracking_number, cancelled.tracking_number].sort(),
  );
  const whole = exported.find(({ shipment }) => shipment.id === uuidOf(delivered));
  expect(whole.shipment).toMatchObject({ status: 'delivered', account_id: account.id });
  expect(whole.tracking_events.map(({ status }: { status: string }) => status)).toContain('delivered');
  expect(whole.proofs).toMatchObject([{ signed_by: proof.signed_by }]);
  expect(whole.accesses).toHaveLength(1);
  expect(whole.positions).toMatchObject([{ lat: 47.5, lng: -122.5 }]);
  expect(lines.join()).not.toMatch(/secret_hash|handover_code"/);
  const { id: signatureId } = uploads.find(({ kind }) => kind === 'signature') ?? { id: '' };
  const file = join(exportFolder, 'files', storageKey(account.id, signatureId));
  expect(await readFile(file)).toEqual(signature);
  for (const each of [path, file]) expect((await stat(each)).mode & 0o777).toBe(0o600);
});

test('clean-up removes no shipment that it cannot export', async ({ service }) => {
  const account = await newAccount(service);
  const delivered = await shipmentIn(account, 'delivered');
  await age(service, [delivered], '41 days');
  const folder = await newFolder();
  await writeFile(join(folder, 'file'), '');
  const shipments = { days: 40, exportFolder: join(folder, 'file') };
  await expect(clean(service, { shipments })).rejects.toThrow('ENOTDIR');
  const proof = await account.client.getProofOfDelivery({ tracking_number: delivered.tracking_number });
  expect((await fetch(proof.signature_url ?? '')).status).toBe(200);
  expect(await readdir(folder)).toEqual(['file']);
  expect((await clean(service, { shipments: { ...shipments, exportFolder: '' } })).shipments).toBe(1);
});

test('clean-up keeps a shipment that changes after it was found', async ({ service }) => {
  const account = await newAccount(service);
  const { id: shipment_id } = await shipmentIn(account, 'delivered');
  await age(service, [{ id: shipment_id }], '41 days');
  const { db } = service;
  const start = db.transaction.bind(db);
  const spy = vi.spyOn(db, 'transaction').mockImplementation(() => {
    const builder = start();
    const execute = builder.execute.bind(builder);
    builder.execute = async (work) => {
      await age(service, [{ id: shipment_id }], '39 days');
      return execute(work);
    };
    return builder;
  });
  onTestFinished(() => spy.mockRestore());
  await clean(service, { shipments: { days: 40, exportFolder: '' } });
  expect(spy).toHaveBeenCalled();
  expect((await account.client.getShipment({ shipment_id })).id).toBe(shipment_id);
});

test('clean-up of two instances removes each of many shipments once, and exports it', async ({ service }) => {
  const account = await newAccount(service);
  const all = await concurrently(120, () => newShipment(account));
  await sql`update shipments set status = 'cancelled' where account_id = ${account.id}`.execute(service.db);
  await age(service, all, '51 days');
  const exportFolder = await newFolder();
  const runs = await concurrently(2, () => clean(service, { shipments: { days: 50, exportFolder } }));
  const last = await clean(service, { shipments: { days: 50, exportFolder } });
  expect([...runs, last].reduce((sum, { shipments = 0 }) => sum + shipments, 0)).toBe(120);
  const files = await readdir(join(exportFolder, account.id));
  const texts = await Promise.all(files.map((name) => readFile(join(exportFolder, account.id, name), 'utf8')));
  expect(texts.join('').trimEnd().split('\n')).toHaveLength(120);
});

test('clean-up removes finished deliveries after WEBHOOK_DELIVERY_DAYS, and none that is pending', async ({
  service,
}) => {
  const account = await newAccount(service);
  const endpoint = await account.client.createWebhookEndpoint({ url: 'http://127.0.0.1:9/hook' });
  const id = uuidFromPublicId('whe', endpoint.id);
  await account.client.updateWebhookEndpoint({ webhook_endpoint_id: endpoint.id, status: 'disabled' });
  for (const [status, days] of [
    ['delivered', 8],
    ['failed', 8],
    ['pending', 8],
    ['delivered', 6],
  ] as const)
    await sql`
      insert into webhook_deliveries (account_id, endpoint_id, id, event_number, event_created_at, type, order_key,
        status, attempts)
      values (${account.id}, ${id}, gen_random_uuid(), 1, now() - ${`${days} days`}::interval, 'shipment.created',
        gen_random_uuid(), ${status}, 1)`.execute(service.db);
  const left = async () =>
    (
      await sql<{ status: string }>`
        select status from webhook_deliveries where endpoint_id = ${id} order by 1`.execute(service.db)
    ).rows.map(({ status }) => status);
  expect((await clean(service, {})).webhookDeliveries).toBe(0);
  expect((await clean(service, { deliveryDays: 7 })).webhookDeliveries).toBe(2);
  expect(await left()).toEqual(['delivered', 'pending']);
});
