import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createClient } from '@waybill/client';
import { migrate } from '@waybill/server/database/schema/migrate';
import { createIndexConcurrently, type Migrations } from '@waybill/server/database/schema/migration';
import { ownMigrations, readinessCheck } from '@waybill/server/database/schema/schema-level';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { ownMigratedDatabase } from '../fixtures/database/own-database.ts';
import { isLong } from '../fixtures/long-form.ts';
import { startLoad } from '../fixtures/requests/load.ts';
import { newPosition } from '../fixtures/requests/valid-requests.ts';
import { type Service, startService } from '../fixtures/service/service.ts';
import { inTransit, newShipment, proofFor, shipmentRequest } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';

/** More rows show more of what a lock or a scan of a whole table delays. */
const rows = isLong ? 200_000 : 5000;

/** What a next release may do, by the README of the migrations. */
const next: Migrations = {
  '9001-columns': {
    async up(db) {
      await sql`
        alter table shipments add column next_weight integer not null default 0, add column next_class text;
        alter table tracking_events add column source text;
        alter table proof_uploads add column scanned_at timestamptz;
        alter table proofs add column next_note text;
        alter table shipments add constraint next_weight_check check (next_weight >= 0) not valid;
        create table carriers (
          account_id uuid not null references accounts,
          shipment_id uuid not null,
          primary key (account_id, shipment_id),
          foreign key (account_id, shipment_id) references shipments
        )`.execute(db);
    },
  },
  '9002-check': {
    async up(db) {
      await sql`alter table shipments validate constraint next_weight_check`.execute(db);
    },
  },
  '9003-index': {
    outsideTransaction: true,
    up: (db) => createIndexConcurrently(db, 'shipments_next_class', sql`on shipments (account_id, next_class, id)`),
  },
};

const statusOfReady = async ({ origin }: Service): Promise<number> => (await fetch(`${origin}/health/ready`)).status;

test('no request fails while the next release migrates the database and its instances replace others', {
  timeout: 600_000,
}, async () => {
  await using database = await ownMigratedDatabase();
  const { url, db } = database;
  // Few connections, so that each has prepared all statements before.
  const settings = { DATABASE_URL: url, DATABASE_POOL_SIZE: '2' };
  await using old = await startService(settings);
  const account = await newAccount(old);
  const place = JSON.stringify(shipmentRequest().origin);
  await sql`
    insert into shipments (account_id, id, tracking_number, status, version, type, origin, destination, pickup_start,
                           pickup_end, updated_at)
    select ${account.id}, (lpad(to_hex(1772000000000 + i), 12, '0') || '70008000' || lpad(to_hex(i), 12, '0'))::uuid,
           'OLD-2026-' || lpad(i::text, 7, '0'), 'delivered', 1, 'freight', ${place}::jsonb, ${place}::jsonb, now(), now(), now()
    from generate_series(1, ${rows}::int) i`.execute(db);

  const failures: string[] = [];
  /** Calls all operations that read or change rows. */
  const workflow = async ({ baseUrl }: Service) => {
    const recorded = async (request: Request): Promise<Response> => {
      const response = await fetch(request);
      if (!response.ok) failures.push(`${request.method} ${request.url}: ${response.status}`);
      return response;
    };
    const client = createClient({ baseUrl, apiKey: account.key, maxRetries: 0, fetch: recorded });
    const { id: shipment_id, tracking_number } = await inTransit({ client });
    await client.getShipment({ shipment_id });
    await client.recordPositions({ tracking_number, positions: [newPosition()] });
    await client.getTracking({ tracking_number });
    await client.listPositions({ tracking_number });
    await client.submitProofOfDelivery({ tracking_number, ...(await proofFor({ client }, tracking_number)) });
    await client.getProofOfDelivery({ tracking_number });
    await client.listShipments({ limit: 10 });
    const other = await newShipment({ client });
    await client.cancelShipment({ shipment_id: other.id, reason: 'Ordered twice.' });
    return { status: 200 };
  };
  const instances = [old];
  await using load = startLoad(4, (caller) => workflow(instances[caller % instances.length] ?? old));
  await load.sees(200);
  expect(await statusOfReady(old)).toBe(200);

  // From here on this process is the next release, but for the old instance, which has compared the migrations already.
  Object.assign(ownMigrations, next);
  onTestFinished(() => {
    for (const name of Object.keys(next)) delete ownMigrations[name];
  });
  expect(await readinessCheck(db)()).toEqual({ status: 'migrations are missing', pending: Object.keys(next) });
  expect(await migrate(db)).toEqual(Object.keys(next));
  await load.sees(200);
  await using replacement = await startService(settings);
  instances.push(replacement);
  await load.sees(200);
  expect(await Promise.all(instances.map(statusOfReady))).toEqual([200, 200]);
  expect(failures.slice(0, 10)).toEqual([]);
  expect(load.errors).toEqual([]);
});

test('no migration changes after its release: add another one', async () => {
  const found: Record<string, string> = {};
  for (const name of Object.keys(ownMigrations)) {
    const file = new URL(import.meta.resolve(`@waybill/server/database/migrations/${name}`));
    found[name] = hash('sha256', (await readFile(file, 'utf8')).replaceAll(/\s/g, '')).slice(0, 16);
  }
  // Each without white space. Add that of a new migration. Never change one that is released.
  expect(found).toEqual({
    '0001-baseline': '3662f4455fe10c22',
    '0002-timelines': '944edc34de5c46f0',
    '0002a-ended-shipments': '9fadd661503bef28',
    '0003-references': 'bd7c55f7cc71d4e2',
    '0003a-open-references': '0cbf82641100c09a',
    '0003b-free-references': '76f7d36458d8c6aa',
    '0003c-pickup-start': '487388b9094d5020',
    '0003d-delivery-start': '12ddb3c5bd0759ef',
    '0003e-carrier': '1dc42e337c480b09',
    '0003f-destination-city': '57faa272d2e1eb29',
    '0005-documents': 'db1b7e01df150ecd',
    '0005a-documents-index': '377567a022eb8f32',
    '0006-dispatcher-phone': '14ae0c434fabc57e',
    '0007-voided-exceptions': '9bc57c11a3580b09',
    '0008-reported-arrivals': '083a617044b139b8',
    '0009-reference-keys': 'c7088b998ece6209',
    '0009a-reference-value-keys': '2a30627e124646bf',
    '0010-replay-ranges': 'd36948b0d92b92b5',
    '0011-agreeing-positions': '4d7982a82bb9638d',
  });
});
