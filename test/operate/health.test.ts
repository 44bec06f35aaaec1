import { createClient } from '@waybill/client';
import { readinessCheck } from '@waybill/server/database/schema-level';
import { healthRoutes } from '@waybill/server/http/health';
import { fastify } from 'fastify';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { clock } from '../fixtures/clock.ts';
import { concurrently } from '../fixtures/concurrently.ts';
import { startOwnService } from '../fixtures/own-database.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

test('/health/ready sends one query a second when the schema is complete, however often it is called', async ({
  service,
}) => {
  let queries = 0;
  const counted = service.db.withPlugin({
    transformQuery: ({ node }) => {
      queries++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await using app = fastify();
  await app.register(healthRoutes, { checkReadiness: readinessCheck(counted), isClosing: () => false });
  await app.inject('/health/ready'); // looks for the migrations, too
  const time = clock();
  time.forward(60_000);
  queries = 0;
  for (const [milliseconds, expected] of [
    [0, 1],
    [900, 1],
    [200, 2],
  ] as const) {
    time.forward(milliseconds);
    const responses = await concurrently(100, () => app.inject('/health/ready'));
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(queries).toBe(expected);
  }
});

test('on a read-only database writes and /health/ready return 503, and succeed when new connections can write', async () => {
  await using service = await startOwnService();
  const { db, baseUrl } = service;
  const account = await newAccount(service);
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const database = sql.id(rows[0]?.name ?? '');
  // As on a primary that was demoted: its sessions end, later ones are read-only, and others find the new one.
  await sql`alter database ${database} set default_transaction_read_only = on`.execute(db);
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
  const client = createClient({ baseUrl, apiKey: account.key, maxRetries: 0 });
  const ready = async () => (await fetch(`${service.origin}/health/ready`)).json();
  const time = clock();
  await vi.waitFor(async () => {
    await expect(newShipment({ client })).rejects.toMatchObject({ status: 503, code: 'unavailable' });
    expect(await ready()).toEqual({ status: 'the database is read-only' });
  }, waitTimeout);
  await sql`set default_transaction_read_only = off`.execute(db);
  await sql`alter database ${database} reset default_transaction_read_only`.execute(db);
  await vi.waitFor(async () => {
    time.forward(1_001); // sessions are replaced, and the readiness is checked, once a second
    await newShipment({ client });
    expect(await ready()).toEqual({ status: 'ok' });
  }, waitTimeout);
});
