import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@waybill/server/database/database';
import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { migrate } from '@waybill/server/database/schema/migrate';
import { startRestartablePostgres } from '@waybill/tools/lab/cluster/restartable-postgres';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { operationOf } from '../../fixtures/contract/contract.ts';
import { startLoad } from '../../fixtures/requests/load.ts';
import { get, problemOf, send as sendOperation } from '../../fixtures/requests/send.ts';
import { startService } from '../../fixtures/service/service.ts';
import { newShipment, shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';

/** Starts a service on a PostgreSQL that may be frozen and stopped. It need not wait for the disk: it never crashes. */
async function startOnOwnPostgres() {
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-outage-'));
  await using created = new AsyncDisposableStack();
  const postgres = await startRestartablePostgres({ dataDir, settings: { fsync: 'off' } }, console.error);
  created.use(postgres);
  await using db = openDatabase({ url: postgres.url, poolSize: 1, prepared: false });
  await migrate(db);
  const service = await startService({ DATABASE_URL: postgres.url, DATABASE_TIMEOUT_MS: '1000' });
  const resources = created.move();
  return { postgres, service, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

test('requests return 503 while PostgreSQL is frozen or stopped, and 200 afterwards; a service stops while it is frozen', async () => {
  await using started = await startOnOwnPostgres();
  const { postgres, service } = started;
  const account = await newAccount(service);
  const { tracking_number } = await newShipment(account);
  const created: string[] = [];
  const create = () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const request = { key: account.key, headers, body: shipmentRequest() };
    return sendOperation(service.baseUrl, operationOf('createShipment'), request);
  };
  /** Every second caller reads a shipment, and the others create one, whose 201 counts as 200. */
  const send = async (caller: number): Promise<{ status: number }> => {
    const response = await (caller % 2 === 0 ? get(service, account, `/tracking/${tracking_number}`) : create());
    if (response.status === 503) {
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(await problemOf(response)).toMatchObject({ code: 'unavailable' });
      return response;
    }
    const { id } = (await response.json()) as { id: string };
    if (response.status === 201) created.push(uuidFromPublicId('ship', id));
    return { status: response.status === 201 ? 200 : response.status };
  };
  const health = async (path: string) => (await fetch(`${service.origin}/health/${path}`)).status;
  {
    await using load = startLoad(4, send);
    await load.sees(200);
    await postgres.signal('SIGSTOP');
    await load.settles(503);
    await postgres.signal('SIGCONT');
    await load.settles(200);
    await postgres.end('SIGINT');
    await load.settles(503);
    expect(await health('live')).toBe(200);
    await vi.waitFor(async () => expect(await health('ready')).toBe(503), waitTimeout);
    await postgres.start();
    await load.settles(200);
    await vi.waitFor(async () => expect(await health('ready')).toBe(200), waitTimeout);
    expect(load.errors).toEqual([]);
    expect(new Set(load.statuses)).toEqual(new Set([200, 503]));
  }
  const { rows } = await sql`
    select from shipments where account_id = ${account.id} and id = any(${created}::uuid[])`.execute(service.db);
  expect(rows).toHaveLength(created.length);
  expect(created.length).toBeGreaterThan(0);

  await vi.waitFor(async () => {
    const listening = await sql`select from pg_stat_activity where query like 'listen %'`.execute(service.db);
    expect(listening.rows).toHaveLength(1);
  }, waitTimeout);
  await postgres.signal('SIGSTOP');
  await service[Symbol.asyncDispose]();
});
