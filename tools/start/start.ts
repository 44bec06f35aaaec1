import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lock } from '../postgres/lock.ts';
import { type Postgres, startPostgres } from '../postgres/postgres.ts';
import { banner } from './banner.ts';
import { startChild } from './child.ts';
import { prepareDataFolder } from './data-folder.ts';
import { createDemoAccount, type DemoAccount, keysAreValid, readDemoFile, writeDemoFile } from './demo-account.ts';
import { buildDocs, docsDir } from './docs.ts';
import { printEvents } from './live-events.ts';
import { printBoardLink, printPageLinks } from './page-links.ts';
import { requireFreePort } from './ports.ts';
import { writePrivateFile } from './private-files.ts';
import { mock, postgresDir, server, serverEnvironment, simulator, waitForResponse, waybill } from './programs.ts';
import type { Settings } from './settings.ts';
import { tutorial } from './tutorial.ts';

export interface Options {
  /** Clear the embedded database. */
  fresh: boolean;
  /** Migrate the user's database, and create a demo account in it. */
  demo: boolean;
  /** Simulate shipments of the demo account. */
  simulate: boolean;
}

/**
 * Starts everything, prints the URLs and waits. On the way out it stops what it started, in the order: server, mock,
 * PostgreSQL.
 * @throws the signal's reason when it aborts, or the error that ended the run
 */
export async function start(settings: Settings, options: Options, signal: AbortSignal): Promise<never> {
  await prepareDataFolder(settings.dataDir);
  if (!settings.databaseUrl) lock(postgresDir(settings))(); // its message is better than that of a used port
  await requireFreePort('PORT', settings.port, settings.host);
  await requireFreePort('MOCK_PORT', settings.mockPort, settings.host);
  await mkdir(docsDir, { recursive: true }); // the server needs the folder, and serves files that are added later
  console.log(`Starting ${settings.databaseUrl ? '' : 'PostgreSQL, '}the service and the mock …`);

  await using stack = new AsyncDisposableStack(); // disposes in reverse order
  const { promise: end, reject: fail } = Promise.withResolvers<never>();
  end.catch(() => {}); // it may reject before it is awaited
  signal.addEventListener('abort', () => fail(signal.reason));
  let postgres: Postgres | undefined;
  stack.defer(() => postgres?.stop()); // deferred first, to stop last; the mock starts first because it needs no database
  const mockChild = stack.use(startChild(mock(settings)));
  mockChild.failed.catch(fail);
  if (!settings.databaseUrl) {
    const dataDir = postgresDir(settings);
    postgres = await startPostgres({ dataDir, fresh: options.fresh });
    const log = join(dataDir, 'postgres.log');
    postgres.exited.then(() => fail(new Error(`PostgreSQL stopped unexpectedly. See ${log}`)));
  }
  const databaseUrl = settings.databaseUrl ?? postgres?.url ?? '';
  const context = { env: await serverEnvironment(settings, databaseUrl), signal };
  // Without `demo`, the server only checks a database of the user.
  const hasDemo = !settings.databaseUrl || options.demo;
  if (hasDemo) await waybill(context, 'migrate');
  const serverChild = stack.use(startChild(server(context.env)));
  serverChild.failed.catch(fail);
  const newAccount = async (): Promise<DemoAccount> => {
    const created = await createDemoAccount(context);
    await writeDemoFile(settings, databaseUrl, created);
    return created;
  };
  let account: DemoAccount | undefined = hasDemo && !options.fresh ? await readDemoFile(settings) : undefined;
  if (account) await writeDemoFile(settings, databaseUrl, account);
  else if (hasDemo) account = await newAccount(); // while the server starts
  const ready = [`${settings.localUrl}/health/ready`, settings.mockUrl].map((url) => waitForResponse(url, signal));
  await Promise.race([Promise.all(ready), end]);
  if (account && !(await keysAreValid(account, settings))) account = await newAccount();

  const tutorialFile = join(settings.dataDir, 'demo/tutorial.sh');
  if (account)
    await writePrivateFile(tutorialFile, await tutorial(settings.baseUrl, account, join(tutorialFile, '..')));
  const hadDocs = existsSync(join(docsDir, 'index.html'));
  const docs = stack.use(buildDocs()); // last, because it takes all processors
  console.log(banner(settings, account, tutorialFile, hadDocs));
  if (options.simulate) {
    stack.use(startChild(simulator)).failed.catch(({ message }) => console.error(message));
    if (account) await printBoardLink(context, account.account_id, console.log);
    const access = { baseUrl: settings.baseUrl, apiKey: account?.api_key ?? '' };
    for (const printMore of [printPageLinks, printEvents])
      printMore(access, signal, console.log).catch(({ message }) => signal.aborted || console.error(message));
  }
  docs.done.then((error) => {
    if (error && !signal.aborted) console.error(`The docs could not be built: ${error}`);
    else if (!error && !hadDocs) console.log('The docs are built.');
  });
  return await end;
}
