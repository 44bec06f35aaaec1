import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient, type Shipment } from '@waybill/client';
import { type Environment, localSettings } from './environment.ts';
import { query } from './postgres/client.ts';
import { startPostgres } from './postgres/postgres.ts';
import { endWatchdog } from './processes/exit-with-parent.ts';
import { freePort } from './processes/free-port.ts';
import { temporaryFolder } from './processes/temporary-folder.ts';
import type { LocalSandbox } from './sandbox-interface.ts';
import { shipmentRequest, windowIn } from './shipment-request.ts';
import { simulate } from './simulate/simulate.ts';

/** Its data is lost in a crash anyway, so it need not wait for the disk. */
const fastSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const noLimit = '999999999';

const forEachTable = (statements: string): string => `
  declare name text;
  begin
    for name in
      select quote_ident(relname) from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    loop
      ${statements}
    end loop;
  end`;

/** Copies all tables. Only few of them have rows: those of the account and its keys. */
const storeStart = `
  create schema start;
  do $$ ${forEachTable("execute 'create table start.' || name || ' as table public.' || name;")} $$`;

/** Puts the copies back. Nothing else uses the database meanwhile. */
const restoreStart = `
  set session_replication_role = replica; -- without triggers and foreign keys
  do $$ ${forEachTable(
    "execute 'delete from public.' || name || '; insert into public.' || name || ' table start.' || name;",
  )} $$;
  select setval(seqrelid, seqstart, false) from pg_sequence`;

/** Runs a sandbox (sandbox.ts) in this thread. @param settings further settings of the server */
export async function openSandbox(settings: Environment): Promise<LocalSandbox> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(temporaryFolder('waybill-sandbox-'));
  const [postgres, { createAccount }, { checkedConfig, startService, waybill }] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres'), settings: fastSettings }),
    import('./demo/account.ts'), // loads the server, while PostgreSQL starts
    import('./service.ts'),
  ]);
  stack.use(postgres);
  const database = { DATABASE_URL: postgres.url };
  await waybill(database, 'migrate');
  const { account_id: accountId, api_key, carrier_api_key } = await createAccount(database, 'Sandbox');
  await query(postgres.url, storeStart);
  const port = await freePort();
  const files = join(folder, 'files');
  const env = {
    ...localSettings,
    RATE_LIMIT: noLimit,
    ACCESS_RATE_LIMIT: noLimit,
    SIGNING_KEYS: randomBytes(32).toString('hex'),
    ...settings,
    BASE_URL: `http://127.0.0.1:${port}/v1`,
    ...database,
    PORT: String(port),
    STORAGE_URL: pathToFileURL(files).href,
  };
  const shipper = { baseUrl: env.BASE_URL, apiKey: api_key };
  const carrier = { baseUrl: env.BASE_URL, apiKey: carrier_api_key };
  await mkdir(files);
  const config = await checkedConfig(env);
  const run = async () => ({ ending: new AbortController(), service: await startService(config) });
  let current = await run();
  const end = async (): Promise<void> => {
    current.ending.abort();
    await current.service[Symbol.asyncDispose]();
  };
  stack.defer(end);
  const resources = stack.move();
  return {
    connection: () => ({ accountId, baseUrl: env.BASE_URL, apiKey: api_key, carrierApiKey: carrier_api_key }),
    async reset() {
      await end();
      await query(postgres.url, restoreStart);
      await rm(files, { recursive: true });
      await mkdir(files);
      current = await run();
    },
    async seed(shipments) {
      const client = createClient(shipper);
      const created: Shipment[] = [];
      const request = { ...shipmentRequest, pickup_window: windowIn(1) };
      for (const shipment of shipments) created.push(await client.createShipment({ ...request, ...shipment }));
      return created;
    },
    async simulate(speed, shipments) {
      const { signal } = current.ending;
      const { errors } = await simulate({ shipper, carrier, speed, shipments, signal });
      if (errors.size > 0) throw new Error(`The simulation met errors: ${[...errors.keys()].join('; ')}`);
    },
    stop: () => resources.disposeAsync().then(endWatchdog), // it is a child of this process, not of the thread
  };
}
