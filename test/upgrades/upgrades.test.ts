import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@waybill/client';
import { type Database, openDatabase } from '@waybill/server/database/database';
import { migrate } from '@waybill/server/database/migrate';
import type { Migrations } from '@waybill/server/database/migration';
import { ownMigrations, schemaLevel } from '@waybill/server/database/schema-level';
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

/** The migrations of a release, up to one of them. */
const upTo = (last: string): Migrations =>
  Object.fromEntries(Object.entries(ownMigrations).filter(([name]) => name <= last));

/** Migrates an empty database to a level, and fills it on the way, as services of that time did. */
async function load(db: Database, level: string): Promise<void> {
  for (const file of levels.slice(0, levels.indexOf(level) + 1)) {
    await migrate(db, { migrations: upTo(file.replace('.sql', '')) });
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
      where connamespace = 'public'::regnamespace and contype <> 'n' -- PostgreSQL 18 has those of columns, too
    union all select format('sequence %s', sequencename) from pg_sequences where schemaname = 'public'`.execute(db);
  // Partitions of days depend on the day of the migration.
  return rows
    .map(({ line }) => line)
    .filter((line) => !/(positions|events)_\d{4}_/.test(line))
    .sort();
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

/** A SHA-256 of the schema after each migration. Databases like these exist. */
const checksums = {
  '0001-first': '80a7a1f6eebae8e3',
  '0002-complete': '267f5e3f3fc654d4',
  '0003-position-days': 'c2b9f2a8040dc254',
  '0004-stored-bytes': '343173be1c5845d2',
  '0005-events': '9d7ef61655ba2162',
  '0006-webhooks': '6854133817d29abd',
  '0007-webhook-changes': 'a6501902c5a5cf5b',
  '0008-audit-log': 'caac84c6c47c94fa',
  '0009-event-types': 'ae2b65c9a367b7ec',
  '0010-position-changes': '2ba675f9c0634bef',
  '0011-shipment-changes': '8df88c3750b9e678',
  '0012-exceptions': '429a7a8acc90435f',
  '0013-open-exceptions': 'fee5aa261e6f0f91',
  '0014-accesses': 'f5bea010346b9186',
  '0015-unattended-deliveries': 'bc4dba64549b8bd7',
  '0016-access-kinds': '78464484511b2cb3',
  '0017-handover-codes': 'ce40776510b9bbc6',
  '0018-proofs-without-location': '4d1d8ced5a398126',
  '0019-pickups': 'faea4379747c0449',
  '0020-newest-events': '8283a78b7f4bb00b',
  '0021-exceptions-by-status': '1b7160eec049857f',
  '0022-uploads-end': '06b5b72ad9d75c28',
  '0023-account-shares': 'a37073fbf3ab94f1',
  '0024-jumps': '66480c45286efb14',
  '0025-ended-shipments': '909fe8373ab1ef52',
};

test('no migration makes another schema than when it was released: change a new one instead', async () => {
  await using database = await ownDatabase();
  await using db = openDatabase({ url: database.url, poolSize: 1, prepared: false });
  const found: Record<string, string> = {};
  for (const name of Object.keys(ownMigrations)) {
    await migrate(db, { migrations: upTo(name) });
    found[name] = hash('sha256', (await schemaOf(db)).join('\n')).slice(0, 16);
  }
  const hint =
    'Add the checksum of a new migration to test/upgrades/upgrades.test.ts. Never change one that is released.';
  expect(found, hint).toEqual(checksums);
});
