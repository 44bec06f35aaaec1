import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Postgres, startPostgres } from '../postgres/postgres.ts';
import { banner, here } from './banner.ts';
import { startChild } from './child.ts';
import { type Account, demoFile, isKnown, keepAccount, makeAccount, readAccount } from './demo.ts';
import { buildDocs, docsDir } from './docs.ts';
import { requireFreePort } from './ports.ts';
import { answers, mock, postgresDir, type Run, server, serverEnvironment, simulator, waybill } from './programs.ts';
import { keep } from './secrets.ts';
import type { Settings } from './settings.ts';
import { walk } from './walk.ts';

export interface Options {
  /** Clear the embedded database. */
  fresh: boolean;
  /** Migrate a database that is not ours, and make a demo account in it. */
  demo: boolean;
  /** Drive shipments of the demo account through their life. */
  simulate: boolean;
}

/**
 * Starts everything, says where it is, and waits. On the way out, whatever led there, what was started is stopped in
 * the order: server, mock, PostgreSQL.
 * @throws the signal's reason when it aborts, or what went wrong
 */
export async function start(settings: Settings, options: Options, signal: AbortSignal): Promise<never> {
  await requireFreePort('PORT', settings.port, settings.host);
  await requireFreePort('MOCK_PORT', settings.mockPort, settings.host);
  for (const folder of ['demo', 'files']) {
    // Proofs of delivery name people: other users of this machine must not read them.
    await mkdir(join(settings.dataDir, folder), { recursive: true, mode: 0o700 });
  }
  await mkdir(docsDir, { recursive: true }); // the server wants the folder, and serves what arrives later

  await using house = new AsyncDisposableStack(); // last in, first out
  const { promise: end, reject: fail } = Promise.withResolvers<never>();
  end.catch(() => {}); // it may come while nobody looks, or on the way out
  signal.addEventListener('abort', () => fail(signal.reason));
  let postgres: Postgres | undefined;
  house.defer(() => postgres?.stop()); // after the mock, which is started first because it needs no database
  const mocking = house.use(startChild(mock(settings)));
  mocking.died.catch(fail);
  if (!settings.databaseUrl) {
    const dataDir = postgresDir(settings);
    postgres = await startPostgres({ dataDir, fresh: options.fresh });
    const log = join(dataDir, 'postgres.log');
    postgres.exited.then(() => fail(new Error(`PostgreSQL ended by itself; ${log} may say why.`)));
  }
  const databaseUrl = settings.databaseUrl ?? postgres?.url ?? '';
  const run: Run = { env: await serverEnvironment(settings, databaseUrl), signal };
  let account = await prepare(settings, options, databaseUrl, run);

  const serving = house.use(startChild(server(run.env)));
  serving.died.catch(fail);
  const up = [answers(`${settings.localUrl}/health/ready`, signal), answers(settings.mockUrl, signal)];
  await Promise.race([Promise.all(up), end]);
  if (account && !(await isKnown(account, settings))) {
    account = await plant(settings, databaseUrl, run);
  }

  console.log(await describe(settings, databaseUrl, account));
  if (options.simulate) house.use(startChild(simulator)).died.catch(({ message }) => console.error(message));
  const docs = house.use(buildDocs()); // now that nobody waits for the processor
  docs.done.then((fault) => fault && !signal.aborted && console.error(`The docs could not be built: ${fault}`));
  return await end;
}

/** Brings the database and the demo account up to date, as far as that is ours to do. */
async function prepare(settings: Settings, { fresh, demo }: Options, databaseUrl: string, run: Run) {
  if (settings.databaseUrl && !demo) {
    await waybill(run, 'check');
    return undefined;
  }
  await waybill(run, 'migrate');
  const account = fresh ? undefined : await readAccount(settings);
  if (!account) return plant(settings, databaseUrl, run);
  await keepAccount(settings, databaseUrl, account);
  return account;
}

async function plant(settings: Settings, databaseUrl: string, run: Run): Promise<Account> {
  const account = await makeAccount(run);
  await keepAccount(settings, databaseUrl, account);
  return account;
}

async function describe(settings: Settings, databaseUrl: string, account: Account | undefined) {
  const { baseUrl, dataDir, localUrl, mockUrl } = settings;
  const lines = {
    API: baseUrl,
    Docs: `${localUrl}/docs/${existsSync(join(docsDir, 'index.html')) ? '' : '  (being built)'}`,
    Contract: `${localUrl}/openapi.json`,
    Mock: mockUrl,
    Database: settings.databaseUrl ? 'your DATABASE_URL' : `${databaseUrl}  (kept in ${here(postgresDir(settings))})`,
    'Demo keys': account ? here(demoFile(settings)) : 'none: start with --demo to make some in your database',
  };
  if (!account) return banner(lines, undefined);
  const folder = join(dataDir, 'demo');
  const text = await walk({ baseUrl, account, folder });
  const file = join(folder, 'walk.sh');
  await keep(file, text);
  return banner(lines, { text, file });
}
