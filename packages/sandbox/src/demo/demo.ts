import { join } from 'node:path';
import { clientVariables } from '../postgres/client-variables.ts';
import { lock } from '../postgres/lock.ts';
import { startPostgres } from '../postgres/postgres.ts';
import { checkedConfig, startService, waybill } from '../service.ts';
import { prepareDataFolder } from './data-folder.ts';
import { createDemoAccount, keysAreValid } from './demo-account.ts';
import { type DemoFile, readDemoFile, writeDemoFile } from './demo-file.ts';
import { requireFreePort } from './ports.ts';
import { serverEnvironment } from './server-environment.ts';
import type { Settings } from './settings.ts';

export interface DemoOptions {
  /** Clear the embedded database. */
  fresh: boolean;
  /** Migrate the user's database, and create a demo account in it. */
  demo: boolean;
}

const postgresDir = ({ dataDir }: Settings): string => join(dataDir, 'postgres');

/** Checks the data folder and the port before anything is started. @throws an error that says what to change */
export async function checkSettings(settings: Settings): Promise<void> {
  await prepareDataFolder(settings.dataDir);
  if (!settings.databaseUrl) lock(postgresDir(settings))(); // its message is better than that of a used port
  await requireFreePort('PORT', settings.port, settings.host);
}

export type Demo = Awaited<ReturnType<typeof startDemo>>;

/**
 * Starts PostgreSQL and the service, with an account whose keys it writes to `demo.json`. Data and keys stay for the next
 * start. Disposal stops the service, then PostgreSQL.
 * @param urls of what runs beside it, for `demo.json`
 * @throws the signal's reason when it aborts
 */
export async function startDemo(
  settings: Settings,
  { fresh, demo }: DemoOptions,
  signal: AbortSignal,
  urls: { mock_url?: string } = {},
) {
  await using stack = new AsyncDisposableStack(); // disposes in reverse order
  const { promise: end, reject: fail } = Promise.withResolvers<never>();
  end.catch(() => {}); // it may reject before it is awaited
  signal.addEventListener('abort', () => fail(signal.reason));
  let { databaseUrl } = settings;
  // Without `demo`, the server only checks a database of the user.
  const hasAccount = !databaseUrl || demo;
  if (!databaseUrl) {
    const dataDir = postgresDir(settings);
    for (const name of clientVariables(process.env)) delete process.env[name];
    const postgres = stack.use(await startPostgres({ dataDir, fresh }));
    const log = join(dataDir, 'postgres.log');
    postgres.exited.then(() => fail(new Error(`PostgreSQL stopped unexpectedly. See ${log}`)));
    databaseUrl = postgres.url;
  }
  const env = await serverEnvironment(settings, databaseUrl);
  const places = { base_url: settings.baseUrl, ...urls, database_url: databaseUrl };
  const newAccount = async (): Promise<DemoFile> => ({ ...(await createDemoAccount(env)), ...places });
  let account: DemoFile | undefined;
  if (hasAccount) {
    signal.throwIfAborted();
    await waybill(env, 'migrate');
    const earlier = fresh ? undefined : await readDemoFile(settings);
    account = earlier ? { ...earlier, ...places } : await newAccount();
    await writeDemoFile(settings, account); // scripts read it when the service is ready
  }
  signal.throwIfAborted();
  stack.use(await startService(await checkedConfig(env)));
  if (account && !(await keysAreValid(account, settings))) {
    account = await newAccount();
    await writeDemoFile(settings, account);
  }
  signal.throwIfAborted();
  const resources = stack.move();
  return {
    account,
    env,
    /** Rejects with the signal's reason, or when PostgreSQL stops by itself. */
    end,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
