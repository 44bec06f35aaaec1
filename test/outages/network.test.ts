import { freePort } from '@waybill/tools/free-port';
import { type Fault, startProxy } from '@waybill/tools/network';
import { expect, inject, test } from 'vitest';
import { startLoad } from '../fixtures/load.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { hasRedis, startRedis } from '../rate-limits/redis-server.ts';
import { creator, reader } from './requests.ts';

const faults: Fault[] = [{ kind: 'delay', ms: 50 }, { kind: 'cut' }, { kind: 'refuse' }, { kind: 'black hole' }];
const timeout = 120_000;

test.concurrent.for(faults)(
  'reads and writes return 200 or 503 during the network fault $kind to PostgreSQL, and 200 afterwards',
  {
    timeout,
  },
  async (fault) => {
    await using proxy = await startProxy(Number(new URL(inject('databaseUrl')).port));
    await using service = await startService({
      DATABASE_URL: proxy.through(inject('databaseUrl')),
      // A delay must not reach it on a busy machine, the black hole must.
      DATABASE_TIMEOUT_MS: fault.kind === 'delay' ? '20000' : '2000',
    });
    const account = await newAccount(service);
    const { tracking_number } = await newShipment(account);
    const sends = [reader(service, account, tracking_number), creator(service, account)];
    await using load = startLoad(8, (caller) => sends[caller % 2]?.() ?? Promise.reject());
    await load.settles(200);
    await proxy.set(fault);
    await load.sees(fault.kind === 'delay' ? 200 : 503);
    await proxy.set({ kind: 'none' });
    await load.settles(200);
    expect(load.errors).toEqual([]);
    const seen = fault.kind === 'delay' ? [200] : [200, 503];
    expect(new Set(load.statuses)).toEqual(new Set(seen));
  },
);

test.skipIf(!hasRedis).for(faults)(
  'reads and writes return 200 during the network fault $kind to Redis',
  { timeout },
  async (fault) => {
    const port = await freePort();
    await startRedis(port);
    await using proxy = await startProxy(port);
    await using service = await startService({ REDIS_URL: proxy.through(`redis://127.0.0.1:${port}`) });
    const account = await newAccount(service);
    const { tracking_number } = await newShipment(account);
    const sends = [reader(service, account, tracking_number), creator(service, account)];
    await using load = startLoad(4, (caller) => sends[caller % 2]?.() ?? Promise.reject());
    await load.sees(200);
    await proxy.set(fault);
    await load.sees(200);
    await proxy.set({ kind: 'none' });
    await load.sees(200);
    expect([load.errors, new Set(load.statuses)]).toEqual([[], new Set([200])]);
  },
);
