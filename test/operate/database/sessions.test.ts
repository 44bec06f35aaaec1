import { createClient } from '@waybill/client';
import { startPgBouncer } from '@waybill/tools/lab/cluster/pgbouncer';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { stepsTo } from '../../fixtures/contract/lifecycle.ts';
import { ownMigratedDatabase } from '../../fixtures/database/own-database.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { get } from '../../fixtures/requests/send.ts';
import { signingKey, startService } from '../../fixtures/service/service.ts';
import { record, shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';
import { runHere } from '../cli/run-waybill.ts';
import { testWithCluster, why } from '../cluster/programs.ts';

/** Settings of a role or a database that change what PostgreSQL reads and returns. */
const hostile = {
  bytea_output: 'escape',
  client_encoding: 'LATIN1',
  DateStyle: 'German',
  default_transaction_isolation: 'serializable',
  extra_float_digits: '-15',
  IntervalStyle: 'sql_standard',
  quote_all_identifiers: 'on',
  standard_conforming_strings: 'off',
  TimeZone: 'Asia/Kolkata',
};

/** Of PgBouncer, which does not end them. */
const sessions = 3;

/** The finding of `waybill check` on the settings of sessions. */
async function checkSessions(DATABASE_URL: string, DATABASE_PREPARED: string): Promise<string> {
  const settings = { DATABASE_URL, DATABASE_PREPARED, DATABASE_TIMEOUT_MS: '60000', SIGNING_KEYS: signingKey };
  const { stdout } = await runHere(['check'], settings);
  return /^. DATABASE_PREPARED .*$/m.exec(stdout)?.[0] ?? stdout;
}

/** Writes and reads times, decimal places, bytes and texts. */
async function expectExactData(url: string, DATABASE_PREPARED: string): Promise<void> {
  await using service = await startService({ DATABASE_URL: url, DATABASE_PREPARED });
  const { key } = await newAccount(service);
  const client = createClient({ baseUrl: service.baseUrl, apiKey: key, maxRetries: 0 });
  const pickup_window = { start: '2026-03-02T09:15:00.120Z', end: '2026-03-04T00:30:00.000Z' };
  const request = { ...shipmentRequest(), reference: "Größe \\ 'O' 北", pickup_window };
  const created = await client.createShipment(request, { idempotencyKey: 'one' });
  expect(created).toMatchObject({ reference: request.reference, pickup_window });
  expect(await client.createShipment(request, { idempotencyKey: 'one' })).toEqual(created);
  expect(Math.abs(Date.parse(created.created_at) - Date.now())).toBeLessThan(600_000);
  expect((await client.listShipments()).data).toEqual([created]);
  for (const step of stepsTo('in_transit')) await record({ client }, created, step);
  const position = { lat: 47.123456, lng: -122.654321, updated_at: new Date().toISOString() };
  const { tracking_number } = created;
  await client.recordPositions({ tracking_number, positions: [position] });
  expect((await client.listPositions({ tracking_number })).data).toMatchObject([position]);
  expect((await client.getTracking({ tracking_number })).current_location).toMatchObject({ lat: 47.123456 });
  expect((await client.listEvents()).data.map(({ data }) => data.shipment?.id)).toContain(created.id);
}

test.for(['true', 'false'])(
  'with DATABASE_PREPARED=%s, data is exact whatever settings the role and the database have',
  async (prepared) => {
    await using database = await ownMigratedDatabase();
    const name = sql.id(new URL(database.url).pathname.slice(1));
    for (const [setting, value] of Object.entries(hostile))
      await sql`alter database ${name} set ${sql.id(setting)} = ${sql.lit(value)}`.execute(database.db);
    await expectExactData(database.url, prepared);
    expect(await checkSessions(database.url, prepared)).toMatch(/^✓ .+DateStyle ISO, MDY.+ DateStyle German, DMY/);
  },
);

testWithCluster(`behind PgBouncer, data is exact whatever others have set in its sessions${why}`, async () => {
  await using database = await ownMigratedDatabase();
  await using pgBouncer = await startPgBouncer(database.url, sessions, 'server_idle_timeout = 600');
  const url = pgBouncer.through(database.url);
  await using service = await startService({ DATABASE_URL: url, DATABASE_PREPARED: 'false' });
  const account = await newAccount(service);
  // As pg_dump does. Open transactions have all sessions.
  const lost = { ...hostile, client_encoding: 'UTF8', search_path: '', statement_timeout: '0', lock_timeout: '0' };
  const others = Array.from({ length: sessions }, () => new pg.Client(url));
  for (const client of others) {
    await client.connect();
    await client.query('begin');
    for (const [setting, value] of Object.entries(lost))
      await client.query('select set_config($1, $2, false)', [setting, value]);
  }
  for (const client of others) await client.query('commit').then(() => client.end());
  const responses = await concurrently(30, () => get(service, account, '/shipments'));
  expect(responses.map(({ status }) => status)).toEqual(Array(30).fill(200));
  expect(await checkSessions(url, 'false')).toMatch(/^✓ /);
  await expectExactData(url, 'false');
});
