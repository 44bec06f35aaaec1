import { createClient } from '@waybill/client';
import { connect } from '@waybill/server/database/connect';
import { migrate } from '@waybill/server/database/migrate';
import { readinessCheck } from '@waybill/server/database/readiness';
import { healthRoutes } from '@waybill/server/http/health';
import { fastify } from 'fastify';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { ownDatabase } from '../fixtures/own-database.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('/health/ready sends one query a second when the schema is complete, however often it is called', async () => {
  await using database = await ownDatabase();
  const db = connect({ url: database.url, poolSize: 1, prepared: false });
  await migrate(db);
  let queries = 0;
  const counted = db.withPlugin({
    transformQuery({ node }) {
      queries++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const app = fastify();
  await app.register(healthRoutes, { checkReadiness: readinessCheck(counted), isClosing: () => false });
  const ask = async (times: number): Promise<void> => {
    const responses = await Promise.all(Array.from({ length: times }, () => app.inject('/health/ready')));
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  };
  await ask(1); // looks for the migrations, too
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.advanceTimersByTime(60_000);
  queries = 0;
  await ask(100);
  await ask(1);
  vi.advanceTimersByTime(900);
  await ask(1);
  expect(queries).toBe(1);
  vi.advanceTimersByTime(200);
  await ask(100);
  expect(queries).toBe(2);
  await app.close();
  await db.destroy();
});

test('on a read-only database writes and /health/ready return 503, and succeed when new connections can write', async () => {
  await using database = await ownDatabase();
  const url = new URL(database.url);
  const name = sql.id(url.pathname.slice(1));
  const db = connect({ url: database.url, poolSize: 1, prepared: false });
  await migrate(db);
  const account = await newAccount({ db, baseUrl: 'http://127.0.0.1/v1' });
  // As on a primary that was demoted: its sessions stay read-only, and others find the new one.
  await sql`alter database ${name} set default_transaction_read_only = on`.execute(db);
  {
    await using service = await startService({ DATABASE_URL: database.url });
    const client = createClient({ baseUrl: service.baseUrl, apiKey: account.key, retries: 0 });
    const create = () => newShipment({ client });
    const ready = async () => (await fetch(`${service.origin}/health/ready`)).json();
    await expect(create()).rejects.toMatchObject({ status: 503, code: 'unavailable' });
    expect(await ready()).toEqual({ status: 'the database is read-only' });
    await sql`set default_transaction_read_only = off`.execute(db);
    await sql`alter database ${name} reset default_transaction_read_only`.execute(db);
    await vi.waitFor(create, { timeout: 30_000 });
    await vi.waitFor(async () => expect(await ready()).toEqual({ status: 'ok' }), { timeout: 30_000 });
  }
  await db.destroy();
});
