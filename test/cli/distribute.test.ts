import { connect } from '@waybill/server/database/connect';
import { migrate } from '@waybill/server/database/migrate';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createCitusStandIn } from '../fixtures/citus-stand-in.ts';
import { ownDatabase } from '../fixtures/own-database.ts';
import { runHere } from './run.ts';

test('`waybill distribute` names what the database lacks, and places each table once', async () => {
  await using database = await ownDatabase();
  await using db = connect({ url: database.url, poolSize: 1, prepared: false });
  const distribute = (...args: string[]) => runHere(['distribute', ...args], { DATABASE_URL: database.url });
  const refusal = (stderr: RegExp) => ({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) });

  expect(await distribute()).toEqual(refusal(/^The database lacks the extension Citus\. Run `create extension citus`/));
  await createCitusStandIn(db);
  expect(await distribute()).toEqual(refusal(/^The migrations 0001-first, .* are missing\. Run `waybill migrate`/));
  await migrate(db);
  await sql`delete from pg_dist_node`.execute(db);
  expect(await distribute()).toEqual(refusal(/^The coordinator is not a node.*citus_set_coordinator_host/));
  await sql`insert into pg_dist_node values (0)`.execute(db);

  const tables = ['shipments', 'tracking_events', 'positions', 'current_positions', 'proof_uploads', 'stored_bytes'];
  const webhooks = ['webhook_endpoints', 'webhook_deliveries'];
  const all = ['accounts', ...tables, 'proofs', 'events', 'removed_events', ...webhooks, 'idempotency_keys'];
  expect(await distribute()).toEqual({ code: 0, stdout: `Distributed ${all.join(', ')}.\n`, stderr: '' });
  expect(await distribute()).toEqual({ code: 0, stdout: 'All tables are distributed.\n', stderr: '' });
  const { rows } = await sql<{ tables: string }>`
    select string_agg(logicalrelid::text, ',' order by logicalrelid::text) as tables from pg_dist_partition
    where colocate_with = 'shipments'`.execute(db);
  expect(rows[0]?.tables.split(',').sort()).toEqual(
    all.filter((name) => !['accounts', 'shipments'].includes(name)).sort(),
  );

  // as after a migration that creates a table
  await sql`delete from pg_dist_partition where logicalrelid = 'proofs'::regclass`.execute(db);
  expect(await distribute('--json')).toEqual({ code: 0, stdout: '{"distributed":["proofs"]}\n', stderr: '' });
});
