import { createClient } from '@waybill/client';
import { migrate } from '@waybill/server/database/migrate';
import { createIndexConcurrently, type Migrations } from '@waybill/server/database/migration';
import { ownMigrations } from '@waybill/server/database/schema-level';
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { startLoad } from '../fixtures/load.ts';
import { isLong } from '../fixtures/long-form.ts';
import { startOwnService } from '../fixtures/own-database.ts';
import { applyTransition, newShipment, shipmentRequest, transitionsTo } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';

/** More rows show more of what a lock or a scan of a whole table delays. */
const rows = isLong ? 200_000 : 5000;

/** What a next release may do, by the README of the migrations: columns, indexes, a new table. */
const next: Migrations = {
  '9001-columns': {
    async up(db: Kysely<unknown>) {
      await sql`
        alter table shipments add column next_weight integer not null default 0, add column next_class text;
        alter table tracking_events add column source text;
        alter table proof_uploads add column scanned_at timestamptz;
        alter table proofs add column next_note text;
        create table carriers (
          account_id uuid not null references accounts,
          shipment_id uuid not null,
          primary key (account_id, shipment_id),
          foreign key (account_id, shipment_id) references shipments
        )`.execute(db);
    },
  },
  '9002-index': {
    outsideTransaction: true,
    up: (db) => createIndexConcurrently(db, 'shipments_next_class', sql`on shipments (account_id, next_class, id)`),
  },
  '9003-check': {
    async up(db) {
      await sql`alter table shipments add constraint next_weight_check check (next_weight >= 0) not valid`.execute(db);
    },
  },
  '9004-check': {
    async up(db) {
      await sql`alter table shipments validate constraint next_weight_check`.execute(db);
    },
  },
};

test('no request fails while the migrations of the next release run', { timeout: 600_000 }, async () => {
  // Few connections, so that each has prepared all statements before.
  await using service = await startOwnService({ DATABASE_POOL_SIZE: '2' });
  const { db, baseUrl } = service;
  const account = await newAccount(service);
  const place = JSON.stringify(shipmentRequest().origin);
  await sql`
    insert into shipments (account_id, id, tracking_number, status, version, type, origin, destination, pickup_start,
                           pickup_end, updated_at)
    select ${account.id}, (lpad(to_hex(1772000000000 + i), 12, '0') || '70008000' || lpad(to_hex(i), 12, '0'))::uuid,
           'OLD-2026-' || lpad(i::text, 7, '0'), 'delivered', 1, 'freight', ${place}::jsonb, ${place}::jsonb, now(), now(), now()
    from generate_series(1, ${rows}::int) i`.execute(db);

  const failures: string[] = [];
  let requests = 0;
  const client = createClient({
    baseUrl,
    apiKey: account.key,
    maxRetries: 0,
    async fetch(request) {
      const response = await fetch(request);
      requests++;
      if (!response.ok) failures.push(`${request.method} ${request.url}: ${response.status}`);
      return response;
    },
  });
  /** All operations that read or change rows. */
  const workflow = async () => {
    const shipment = await newShipment({ client });
    const path = { tracking_number: shipment.tracking_number };
    await client.getShipment({ shipment_id: shipment.id });
    for (const step of transitionsTo('delivered')) {
      if (step.to === 'delivered')
        await client.recordPositions({
          ...path,
          positions: [{ lat: 1, lng: 2, updated_at: new Date().toISOString() }],
        });
      await applyTransition({ client }, shipment, step);
      await client.getTracking(path);
    }
    await client.listPositions(path);
    await client.getProofOfDelivery(path);
    await client.listShipments({ limit: 10 });
    const other = await newShipment({ client });
    await client.cancelShipment({ shipment_id: other.id, reason: 'Ordered twice.' });
    return { status: 200 };
  };
  await using load = startLoad(3, workflow);
  await load.sees(200);
  const before = requests;
  const started = performance.now();
  expect(await migrate(db, { migrations: { ...ownMigrations, ...next } })).toEqual(Object.keys(next));
  const [during, seconds] = [requests - before, (performance.now() - started) / 1000];
  await load.sees(200);
  expect((await fetch(`${service.origin}/health/ready`)).status).toBe(200);
  console.log(`${rows} shipments, ${requests} requests, ${during} of them in ${seconds.toFixed(1)} s of migrations`);
  expect(failures.slice(0, 10)).toEqual([]);
  expect(load.errors).toEqual([]);
});
