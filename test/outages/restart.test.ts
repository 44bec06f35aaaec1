import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@waybill/server/database/connect';
import { migrate } from '@waybill/server/database/migrate';
import { startPostgres } from '@waybill/tools/postgres';
import { expect, test, vi } from 'vitest';
import { startLoad } from '../fixtures/load.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { reader } from './requests.ts';

/** Nothing here crashes, so PostgreSQL need not wait for the disk. */
const settings = { fsync: 'off' };

const eventually = (check: () => unknown): Promise<unknown> => vi.waitFor(check, waitTimeout);

test('requests return 503 while PostgreSQL is stopped, and succeed after its restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-fault-'));
  let postgres = await startPostgres({ dataDir, settings });
  const port = Number(new URL(postgres.url).port);
  const setup = connect({ url: postgres.url, poolSize: 1, prepared: false });
  await migrate(setup);
  await setup.destroy();
  await using service = await startService({ DATABASE_URL: postgres.url });
  const account = await newAccount(service);
  const { tracking_number } = await newShipment(account);
  const read = reader(service, account, tracking_number);
  // Requests continue while the database stops, stays stopped and restarts.
  await using load = startLoad(8, read);
  try {
    await load.sees(200);
    await postgres.stop();
    await load.sees(503);
    await expect(newShipment(account)).rejects.toMatchObject({ status: 503, code: 'unavailable' });
    expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
    expect((await fetch(`${service.origin}/health/ready`)).status).toBe(503);

    // Its port may be in passing use by another connection of this machine.
    await eventually(async () => {
      postgres = await startPostgres({ dataDir, port, settings });
    });
    await load.settles(200);
    await newShipment(account);
    await eventually(async () => expect((await fetch(`${service.origin}/health/ready`)).status).toBe(200));
    expect(load.errors).toEqual([]);
    expect(new Set(load.statuses)).toEqual(new Set([200, 503]));
  } finally {
    await load[Symbol.asyncDispose]();
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  }
});
