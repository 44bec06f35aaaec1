import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient, type Shipment, type ShipmentRequest } from '@waybill/client';
import { createAccount } from './account.ts';
import { urlWith, withClient } from './postgres/client.ts';
import { startPostgres } from './postgres/postgres.ts';
import { freePort } from './processes/free-port.ts';
import { type Environment, localSettings, startService, waybill } from './service.ts';
import { shipmentRequest } from './shipment-request.ts';
import { simulate } from './simulate/simulate.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Its data is lost in a crash anyway, so it need not wait for the disk. */
const fastSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const noLimit = '999999999';

export type LocalSandbox = Awaited<ReturnType<typeof openSandbox>>;

/** Runs a sandbox (sandbox.ts) in this thread. @param settings further settings of the server */
export async function openSandbox(settings: Environment) {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(temporaryFolder('waybill-sandbox-'));
  const postgres = stack.use(await startPostgres({ dataDir: join(folder, 'postgres'), settings: fastSettings }));
  // The database at the start, which is copied for the service.
  const template = { DATABASE_URL: postgres.url };
  await waybill(template, 'migrate');
  const { account_id: accountId, api_key, carrier_api_key } = await createAccount(template, 'Sandbox');
  const port = await freePort();
  const files = join(folder, 'files');
  const env = {
    ...localSettings,
    RATE_LIMIT: noLimit,
    ACCESS_RATE_LIMIT: noLimit,
    SIGNING_KEYS: randomBytes(32).toString('hex'),
    ...settings,
    BASE_URL: `http://127.0.0.1:${port}/v1`,
    DATABASE_URL: urlWith(postgres.url, { pathname: 'sandbox' }),
    PORT: String(port),
    STORAGE_URL: pathToFileURL(files).href,
  };
  const shipper = { baseUrl: env.BASE_URL, apiKey: api_key };
  const carrier = { baseUrl: env.BASE_URL, apiKey: carrier_api_key };
  const startEmpty = async () => {
    await withClient(urlWith(postgres.url, { pathname: 'postgres' }), async (client) => {
      await client.query('drop database if exists sandbox with (force)');
      await client.query('create database sandbox template waybill');
    });
    await rm(files, { recursive: true, force: true });
    await mkdir(files);
    const ending = new AbortController();
    const service = await startService(env);
    return { ending, service };
  };
  let current = await startEmpty();
  const end = async (): Promise<void> => {
    current.ending.abort();
    await current.service[Symbol.asyncDispose]();
  };
  stack.defer(end);
  const resources = stack.move();
  return {
    connection: () => ({ accountId, baseUrl: env.BASE_URL, apiKey: api_key, carrierApiKey: carrier_api_key }),
    async reset(): Promise<void> {
      await end();
      current = await startEmpty();
    },
    async seed(shipments: Partial<ShipmentRequest>[]): Promise<Shipment[]> {
      const client = createClient(shipper);
      const created: Shipment[] = [];
      for (const shipment of shipments) created.push(await client.createShipment({ ...shipmentRequest, ...shipment }));
      return created;
    },
    async simulate(speed: number, shipments: number): Promise<void> {
      const { signal } = current.ending;
      const { errors } = await simulate({ shipper, carrier, speed, shipments, signal });
      if (errors.size > 0) throw new Error(`The simulation met errors: ${[...errors.keys()].join('; ')}`);
    },
    stop: () => resources.disposeAsync(),
  };
}
