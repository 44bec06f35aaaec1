import { type Database, openDatabase } from '@waybill/server/database/database';
import { executeWithNextStatement } from '@waybill/server/database/driver';
import { processIdOf, terminateIdleSessions } from '@waybill/server/database/watch';
import { CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { databaseUrl } from '../../fixtures/database/database-url.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { startService } from '../../fixtures/service/service.ts';
import { shipmentIn } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';

const url = databaseUrl();
const open = () => openDatabase({ url, poolSize: 1, prepared: false });
const select = (db: Database) => sql`select 1 as one`.execute(db);

test('four concurrent workflows complete with DATABASE_POOL_SIZE 1', async () => {
  await using service = await startService({ DATABASE_POOL_SIZE: '1' });
  await concurrently(4, async () => {
    const { client } = await newAccount(service);
    const { tracking_number } = await shipmentIn({ client }, 'delivered');
    const { signature_url = '' } = await client.getProofOfDelivery({ tracking_number });
    expect((await fetch(signature_url)).status).toBe(200);
  });
});

test('a statement that follows the end of a session uses another session', async () => {
  await using db = open();
  for (let count = 0; count < 20; count++) {
    const end = sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
    await expect(end).rejects.toMatchObject({ code: '57P01' }); // admin_shutdown
    expect((await select(db)).rows).toEqual([{ one: 1 }]);
  }
});

test('when a statement that is sent with the commit fails, the commit throws its error and nothing is committed', async () => {
  await using database = open();
  const id = crypto.randomUUID();
  const transaction = database.transaction().execute(async (trx) => {
    await sql`insert into accounts (account_id, name, created_at) values (${id}, 'undone', now())`.execute(trx);
    await executeWithNextStatement(trx, { compile: () => CompiledQuery.raw('select 1 / (random() > 2)::integer') });
  });
  await expect(transaction).rejects.toMatchObject({ code: '22012' }); // division_by_zero
  const { rows } = await sql`select from accounts where account_id = ${id}`.execute(database);
  expect(rows).toEqual([]);
});

test('terminateIdleSessions ends a session that has been idle for the time, and no active or other one', async () => {
  await using db = open();
  const [idle, active, other] = [new pg.Client(url), new pg.Client(url), new pg.Client(url)];
  for (const client of [idle, active, other]) {
    client.on('error', () => {}); // it is terminated
    await client.connect();
  }
  await other.query('select pg_advisory_lock(78)');
  const waiting = active.query('select pg_advisory_lock(78)');
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const own = rows[0]?.pid ?? 0;
  const terminate = (ownId: number, minIdle: number) =>
    terminateIdleSessions(db, ownId, [idle, active].map(processIdOf), minIdle);
  expect(await terminate(own, 600_000)).toEqual([]);
  expect(await terminate(own + 1, 0)).toEqual([]); // as behind PgBouncer, which gives clients other ids
  expect(await terminate(own, 0)).toEqual([processIdOf(idle)]);
  await other.query('select pg_advisory_unlock(78)');
  await waiting;
  for (const client of [active, other]) await client.end();
});
