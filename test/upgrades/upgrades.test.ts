import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@waybill/client';
import { type Database, openDatabase } from '@waybill/server/database/database';
import { migrate } from '@waybill/server/database/migrate';
import { schemaLevel } from '@waybill/server/database/schema-level';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { get } from '../fixtures/http.ts';
import { png } from '../fixtures/images.ts';
import { ownDatabase } from '../fixtures/own-database.ts';
import { signatureUrl } from '../fixtures/requests.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { account, expectedShipments, expectedTimeline, keyOf, shipmentId, uploadId } from './stored.ts';

const levels = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.sql')).sort();

/** Fills an empty database as a migration left it: each file adds to the one before. */
async function load(db: Database, level: string): Promise<void> {
  for (const file of levels.slice(0, levels.indexOf(level) + 1)) {
    await sql.raw(await readFile(join(import.meta.dirname, file), 'utf8')).execute(db);
  }
}

/** Everything that PostgreSQL knows of the schema, as sentences. */
async function schemaOf(db: Database): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
    from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select format('sequence %s', sequencename) from pg_sequences where schemaname = 'public'
    order by line`.execute(db);
  // Partitions of days depend on the days that have data. Kysely's Migrator, once used, left the table of its lock.
  return rows.map(({ line }) => line).filter((line) => !/(positions|events)_\d{4}_|kysely_migration_lock/.test(line));
}

test.for(levels)('a database at %s returns all of its data after the upgrade', async (level) => {
  await using database = await ownDatabase();
  await using service = await startService({ DATABASE_URL: database.url });
  const { db, baseUrl, storageFolder } = service;
  await mkdir(join(storageFolder, account));
  await writeFile(join(storageFolder, account, uploadId), png());
  const isFirst = level === levels[0];
  await load(db, level);
  expect((await schemaLevel(db)).pending).toEqual(await migrate(db));

  const client = createClient({ baseUrl, apiKey: keyOf('A') });
  expect((await client.listShipments()).data).toEqual(expectedShipments(isFirst));
  for (const { tracking_number, status } of expectedShipments(isFirst)) {
    const path = { tracking_number };
    const data = await client.getTracking(path);
    expect(data).toMatchObject({ tracking_number, status, timeline: expectedTimeline(status) });
  }
  const inTransit = { tracking_number: 'FRT-2026-000004' };
  expect(await client.getTracking(inTransit)).toMatchObject({
    eta: '2026-03-05T10:00:00.000Z',
    current_location: { lat: 47.5, lng: -122.25, address: 'Ritzville', updated_at: '2026-03-04T09:00:00.000Z' },
  });
  const delivered = { tracking_number: 'FRT-2026-000005' };
  const proof = await client.getProofOfDelivery(delivered);
  expect(proof).toMatchObject({
    ...delivered,
    delivered_at: '2026-03-05T12:00:00.000Z',
    signed_by: 'Owen Castillo',
    photos: [],
    location: { lat: 47.6588, lng: -117.426 },
  });
  expect(await (await fetch(signatureUrl(proof))).bytes()).toEqual(png());

  const statuses = ['B', 'C', 'D', 'E'].map(
    async (last) => (await get(service, { key: keyOf(last) }, '/shipments')).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 401, 401, 401]);
  const readOnly = createClient({ baseUrl, apiKey: keyOf('B') });
  await expect(newShipment({ client: readOnly })).rejects.toMatchObject({ code: 'insufficient_scope' });

  const route = async (tracking_number: string) =>
    (await client.listPositions({ tracking_number })).data.map(({ address }) => address);
  if (!isFirst) {
    expect(await route('FRT-2026-000004')).toEqual(['Mile 1', 'Mile 2', 'Mile 3']);
    const cancel = client.cancelShipment(
      { shipment_id: shipmentId(5), reason: 'Ordered twice.' },
      { idempotencyKey: 'cancel-5' },
    );
    const stored = { code: 'invalid_transition', detail: 'Stored.', replayed: true };
    await expect(cancel).rejects.toMatchObject(stored);
  }
  if (level >= '0003') expect(await route('FRT-2026-000003')).toEqual(['Depot']);
  const bytes = await db.selectFrom('stored_bytes').selectAll().execute();
  expect(bytes).toEqual([{ account_id: account, bytes: '70' }]);

  // New writes go on from there.
  const created = await newShipment({ client });
  expect(created.tracking_number).toMatch(new RegExp(`-00000${isFirst ? 6 : 7}$`));
  const report = { lat: 48, lng: -3, address: 'Mile 4', updated_at: new Date().toISOString() };
  await client.recordPositions({ ...inTransit, positions: [report] });
  expect((await client.getTracking(inTransit)).current_location).toEqual(report);
  const event = { status: 'in_transit', timestamp: new Date().toISOString() } as const;
  const moved = await client.recordTrackingEvent({ tracking_number: 'FRT-2026-000003', ...event });
  expect(moved.timeline).toHaveLength(4);
});

test('an upgraded database has the schema of a new one', async ({ service }) => {
  await using database = await ownDatabase();
  await using db = openDatabase({ url: database.url, poolSize: 1, prepared: false });
  await load(db, levels.at(-1) ?? '');
  await migrate(db);
  expect(await schemaOf(db)).toEqual(await schemaOf(service.db));
});

test('the database dumps are those of the first migrations, without a gap', async ({ service }) => {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(service.db);
  const dumps = levels.map((file) => file.replace('.sql', ''));
  expect(dumps).toEqual(rows.map(({ name }) => name).slice(0, dumps.length));
});
