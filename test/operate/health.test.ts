import { createClient } from '@waybill/client';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { clock } from '../fixtures/clock.ts';
import { startOwnService } from '../fixtures/database/own-database.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

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
