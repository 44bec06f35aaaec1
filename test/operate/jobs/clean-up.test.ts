import { mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import type { Retention } from '@waybill/server/feature';
import { cleanUp } from '@waybill/server/jobs/clean-up';
import { storageKey } from '@waybill/server/storage/storage';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { at, newRoute } from '../../api/positions/route.ts';
import { clock } from '../../fixtures/clock.ts';
import { testWithoutCleanUp as test } from '../../fixtures/database/own-database.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { post } from '../../fixtures/requests/post.ts';
import type { Service } from '../../fixtures/service/service.ts';
import { inTransit, newShipment, shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';

type Shipment = { id: string };

/** Clean-up is for all accounts, so this file has its own database. */
const clean = ({ db, storage }: Service, positionDays = 7, retention: Partial<Retention> = {}) =>
  cleanUp({ db, storage, retention: { positionDays, ...retention } });

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
const day = 24 * 60;
const daysAgo = (days: number): string => minutesAgo(days * day).toISOString();

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
const partitionOf = (time: Date) => sql.id(`events_${dayOf(time).replaceAll('-', '_')}`);

/** Moves the events of all accounts into the past, to a partition for their day. */
async function moveToPartition({ db }: Service, minutes: number): Promise<void> {
  const [time, next] = [minutesAgo(minutes), minutesAgo(minutes - day)];
  await sql`
    create table ${partitionOf(time)} partition of events
    for values from (${sql.lit(`${dayOf(time)}T00:00Z`)}) to (${sql.lit(`${dayOf(next)}T00:00Z`)})`.execute(db);
  await sql`update events set created_at = ${time}`.execute(db);
}

/** The same without a partition for their day. */
async function moveToDefault({ db }: Service, minutes: number): Promise<void> {
  await sql`update events set created_at = now() - interval '100 days'`.execute(db);
  await sql`drop table if exists ${partitionOf(minutesAgo(minutes))}`.execute(db);
  await sql`update events set created_at = ${minutesAgo(minutes)}`.execute(db);
}

test.for([
  // A partition is dropped when its whole day has expired.
  ['with', moveToPartition, 30 * day, 31 * day, { eventDays: 1, events: 0 }],
  ['without', moveToDefault, 30 * day - 10, 30 * day, { eventDays: 0, events: 3 }],
] as const)(
  'events of a day %s a partition are removed after 30 days, not before, and readers get 410',
  async ([, move, young, expired, removed], { service, account }) => {
    clock(); // no midnight passes between the steps
    const listed = (after?: string) => account.client.listEvents({ after });
    for (const who of [account, account, await newAccount(service)]) await newShipment(who);
    await move(service, young);
    await clean(service);
    const { data: old } = await listed();
    expect(old).toHaveLength(2);
    await move(service, expired);
    expect(await clean(service)).toMatchObject(removed);
    expect(await listed()).toEqual({ data: [], has_more: false, next_after: null });
    await expect(listed(old[0]?.id)).rejects.toMatchObject({ status: 410, code: 'events_expired' });
    // No later event was removed.
    expect((await listed(old[1]?.id)).data).toEqual([]);
    await newShipment(account);
    expect((await listed(old[1]?.id)).data).toHaveLength(1);
    await move(service, expired);
    await clean(service);
    await expect(listed(old[1]?.id)).rejects.toMatchObject({ status: 410, code: 'events_expired' });
    await sql`delete from events`.execute(service.db);
  },
);

/** The partitions of single days. */
async function partitions({ db }: Service): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'positions'::regclass
      and inhrelid <> 'positions_default'::regclass`.execute(db);
  return rows.map(({ name }) => name);
}

test('clean-up removes idempotency keys after 24 hours, and not before', async ({ service, account }) => {
  const create = async (key: string) =>
    ((await post(service, account, { path: '/shipments', body: shipmentRequest(), key })).body as Shipment).id;
  const [old, young] = [await create('old'), await create('young')];
  for (const [key, age] of Object.entries({ old: '24 h', young: '23 h 50 min' }))
    await sql`update idempotency_keys set created_at = now() - ${age}::interval where key = ${key}`.execute(service.db);
  expect((await clean(service)).idempotencyKeys).toBe(1);
  expect(await create('young')).toBe(young);
  expect(await create('old')).not.toBe(old);
});

test('clean-up removes positions after POSITION_DAYS but not the current location', async ({ service, account }) => {
  const { tracking_number } = await inTransit(account);
  const positions = [1, 8, 9].map((days) => ({ lat: days, lng: 0, updated_at: daysAgo(days) }));
  await account.client.recordPositions({ tracking_number, positions });
  expect(await clean(service, 12)).toMatchObject({ positionDays: 0, positions: 0 });
  expect((await clean(service)).positionDays).toBe(5);
  expect((await account.client.listPositions({ tracking_number })).data.map(({ lat }) => lat)).toEqual([1]);
  expect((await account.client.getTracking({ tracking_number })).current_location?.lat).toBe(1);
});

test('a position of a day without a partition is stored, moved later, and expires', async ({ service, account }) => {
  const route = await newRoute(account);
  const days = [0, 1, 29.99, 30, 89].map((days) => at(days, { updated_at: daysAgo(days) }));
  for (const name of await partitions(service)) await sql`drop table ${sql.id(name)}`.execute(service.db);
  await route.record(days);
  const stored = await route.stored();
  expect(stored.map(({ lat }) => lat)).toEqual([0.089, 0.03, 0.02999, 0.001, 0]);
  const elsewhere = async () => (await sql`select from positions_default`.execute(service.db)).rows.length;
  expect(await elsewhere()).toBe(5);
  expect(await clean(service, 30)).toMatchObject({ positionDays: 0, positions: 2 });
  expect(await elsewhere()).toBe(0);
  expect(await partitions(service)).toHaveLength(30 + 1 + 7); // until a week ahead
  expect(await route.stored()).toEqual(stored.slice(2));
  await route.record(days.slice(0, 1));
  expect(await route.stored()).toEqual(stored.slice(2));
});

test('a partition in use is dropped later, and writers do not wait for it', async ({ service, account }) => {
  const route = await newRoute(account);
  await clean(service, 9);
  const reader = await service.db.startTransaction().execute();
  await sql`select count(*) from positions`.execute(reader);
  const removed = clean(service, 8);
  await concurrently(20, (second) => route.record([at(second)]));
  expect((await removed).positionDays).toBe(0);
  await reader.rollback().execute();
  expect((await clean(service, 8)).positionDays).toBe(1);
  expect(await route.stored()).toHaveLength(20);
});

const uuidOf = ({ id }: Shipment): string => uuidFromPublicId('ship', id);

/** Makes shipments as old as if nothing had happened to them since. */
const age = ({ db }: Service, shipments: Shipment[], days: string) =>
  sql`update shipments set updated_at = now() - ${days}::interval where id = any(${shipments.map(uuidOf)})`.execute(db);

/** Removes shipments after so many days. */
const cleanShipments = async (service: Service, days: number, exportFolder = '') =>
  (await clean(service, 90, { shipments: { days, exportFolder } })).shipments;

/** The tables with a row that has the id of a shipment. */
async function tablesWith({ db }: Service, shipment: Shipment): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where column_name = 'shipment_id' and table_schema = 'public' and table_name !~ '_\\d{4}_|_default$'`.execute(db);
  const found: string[] = [];
  for (const { name } of rows) {
    const hits = await sql`select from ${sql.table(name)} where shipment_id = ${uuidOf(shipment)} limit 1`.execute(db);
    if (hits.rows.length > 0) found.push(name);
  }
  return found;
}

const newFolder = () => mkdtempDisposable(join(tmpdir(), 'waybill-export-'));

test('clean-up exports and removes ended shipments with their files after SHIPMENT_DAYS, and not before', async ({
  service,
  account,
}) => {
  const { db, storage } = service;
  const delivered = await shipmentIn(account, 'delivered');
  const cancelled = await shipmentIn(account, 'cancelled');
  const [young, open] = [await shipmentIn(account, 'delivered'), await shipmentIn(account, 'in_transit')];
  await account.client.createAccess({ shipment_id: delivered.id, scopes: ['shipments:read'] });
  const proof = await account.client.getProofOfDelivery({ tracking_number: delivered.tracking_number });
  const signature = Buffer.from(await (await fetch(proof.signature_url ?? '')).bytes());
  const bytes = async () => {
    const { rows } = await sql<{ bytes: string }>`
      select bytes from stored_bytes where account_id = ${account.id}`.execute(db);
    return Number(rows[0]?.bytes);
  };
  await sql`
    insert into positions (account_id, shipment_id, updated_at, lat, lng)
    values (${account.id}, ${uuidOf(delivered)}, now() - interval '40 days', 47.5, -122.5)`.execute(db);
  const before = await bytes();
  const { rows: uploads } = await sql<{ id: string; size: number; kind: string }>`
    select id, size, kind from proof_uploads where shipment_id = ${uuidOf(delivered)}`.execute(db);
  await age(service, [delivered, cancelled, open], '40 days');
  await age(service, [young], '39 days 23 hours');

  await using folder = await newFolder();
  const exportFolder = folder.path;
  expect((await clean(service, 90)).shipments).toBe(0);
  expect(await cleanShipments(service, 40, exportFolder)).toBe(2);
  const read = (shipment: Shipment) => account.client.getShipment({ shipment_id: shipment.id });
  for (const removed of [delivered, cancelled])
    await expect(read(removed)).rejects.toMatchObject({ code: 'not_found' });
  for (const kept of [young, open]) expect((await read(kept)).id).toBe(kept.id);
  const other = await account.client.getProofOfDelivery({ tracking_number: young.tracking_number });
  expect(other.signed_by).toBe(proof.signed_by);
  // Events stay as long as those of others: a reader of the feed misses none.
  expect(await tablesWith(service, delivered)).toEqual(['events']);
  expect(await bytes()).toBe(before - uploads.reduce((sum, { size }) => sum + size, 0));
  for (const { id } of uploads) expect(await storage.open(storageKey(account.id, id))).toBeUndefined();

  const names = await readdir(join(exportFolder, account.id));
  expect(names).toEqual([expect.stringMatching(/^shipments-\d{4}-.*Z-.*\.ndjson$/)]);
  const path = join(exportFolder, account.id, names[0] ?? '');
  const text = await readFile(path, 'utf8');
  const exported = [...text.matchAll(/.+/g)].map(([line]) => JSON.parse(line));
  expect(exported.map(({ shipment }) => shipment.id).sort()).toEqual([delivered, cancelled].map(uuidOf).sort());
  expect(exported.find(({ shipment }) => shipment.id === uuidOf(delivered))).toMatchObject({
    shipment: { status: 'delivered', account_id: account.id },
    tracking_events: expect.arrayContaining([expect.objectContaining({ status: 'delivered' })]),
    proofs: [{ signed_by: proof.signed_by }],
    accesses: [{}],
    positions: [{ lat: 47.5, lng: -122.5 }],
  });
  expect(text).not.toMatch(/secret_hash|handover_code"/);
  const { id: signatureId } = uploads.find(({ kind }) => kind === 'signature') ?? { id: '' };
  const file = join(exportFolder, 'files', storageKey(account.id, signatureId));
  expect(await readFile(file)).toEqual(signature);
  for (const each of [path, file]) expect((await stat(each)).mode & 0o777).toBe(0o600);
});

test('clean-up removes no shipment that it cannot export, and everything else', async ({ service, account }) => {
  const { tracking_number } = await inTransit(account);
  await account.client.recordPositions({ tracking_number, positions: [{ lat: 1, lng: 0, updated_at: daysAgo(9) }] });
  const delivered = await shipmentIn(account, 'delivered');
  await age(service, [delivered], '41 days');
  await using folder = await newFolder();
  await writeFile(join(folder.path, 'file'), '');
  const shipments = { days: 40, exportFolder: join(folder.path, 'file') };
  await expect(clean(service, 7, { shipments })).rejects.toThrow('ENOTDIR');
  expect((await account.client.listPositions({ tracking_number })).data).toEqual([]);
  const proof = await account.client.getProofOfDelivery({ tracking_number: delivered.tracking_number });
  expect((await fetch(proof.signature_url ?? '')).status).toBe(200);
  expect(await readdir(folder.path)).toEqual(['file']);
  expect(await cleanShipments(service, 40)).toBe(1);
});

test('clean-up keeps a shipment that changes after it was found', async ({ service, account }) => {
  const delivered = await shipmentIn(account, 'delivered');
  await age(service, [delivered], '41 days');
  const { db } = service;
  const start = db.transaction.bind(db);
  using spy = vi.spyOn(db, 'transaction').mockImplementation(() => {
    const builder = start();
    const execute = builder.execute.bind(builder);
    builder.execute = async (work) => {
      await age(service, [delivered], '39 days');
      return execute(work);
    };
    return builder;
  });
  await cleanShipments(service, 40);
  expect(spy).toHaveBeenCalled();
  expect((await account.client.getShipment({ shipment_id: delivered.id })).id).toBe(delivered.id);
});

test('clean-up of two instances removes each of many shipments once, and exports it', async ({ service, account }) => {
  const all = await concurrently(120, () => newShipment(account));
  await sql`update shipments set status = 'cancelled' where account_id = ${account.id}`.execute(service.db);
  await age(service, all, '51 days');
  await using folder = await newFolder();
  const exportFolder = folder.path;
  const runs = await concurrently(2, () => cleanShipments(service, 50, exportFolder));
  runs.push(await cleanShipments(service, 50, exportFolder));
  expect(runs.reduce((sum = 0, count = 0) => sum + count, 0)).toBe(120);
  const files = await readdir(join(exportFolder, account.id));
  const texts = await Promise.all(files.map((name) => readFile(join(exportFolder, account.id, name), 'utf8')));
  expect(texts.join('').trimEnd().split('\n')).toHaveLength(120);
});

test('clean-up removes finished deliveries after WEBHOOK_DELIVERY_DAYS, and none that is pending', async ({
  service,
  account,
}) => {
  const { id: webhook_endpoint_id } = await account.client.createWebhookEndpoint({ url: 'http://127.0.0.1:9/hook' });
  await account.client.updateWebhookEndpoint({ webhook_endpoint_id, status: 'disabled' });
  const id = uuidFromPublicId('whe', webhook_endpoint_id);
  await sql`
    insert into webhook_deliveries (account_id, endpoint_id, id, event_number, event_created_at, type, order_key,
      status, attempts)
    select ${account.id}, ${id}, gen_random_uuid(), 1, now() - days * interval '1 day', 'shipment.created',
      gen_random_uuid(), status, 1
    from (values ('delivered', 8), ('failed', 8), ('pending', 8), ('delivered', 6)) v (status, days)`.execute(
    service.db,
  );
  expect((await clean(service, 90)).webhookDeliveries).toBe(0);
  expect((await clean(service, 90, { deliveryDays: 7 })).webhookDeliveries).toBe(2);
  const { rows } = await sql`
    select status from webhook_deliveries where endpoint_id = ${id} order by 1`.execute(service.db);
  expect(rows).toEqual([{ status: 'delivered' }, { status: 'pending' }]);
});
