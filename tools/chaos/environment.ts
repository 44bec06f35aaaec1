import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientOptions } from '@waybill/client';
import { type Postgres, startPostgres } from '../postgres/postgres.ts';
import { readPostmaster, until } from '../postgres/postmaster.ts';
import { familyOf } from '../processes/family.ts';
import { freePort } from '../processes/free-port.ts';
import { launch } from '../start/child.ts';
import { makeAccount } from '../start/demo.ts';
import { answers, server, waybill } from '../start/programs.ts';
import { end, ended, isAlive, killOne } from './child.ts';

/** A PostgreSQL and a server in a temporary folder, which can be killed and restarted. */
export interface Environment extends AsyncDisposable {
  shipper: ClientOptions & { baseUrl: string };
  carrier: ClientOptions & { baseUrl: string };
  databaseUrl: string;
  accountId: string;
  /** For commands of `waybill` in this environment. */
  run: { env: NodeJS.ProcessEnv; signal: AbortSignal };
  /** The process ids of each part: the server's; the postmaster's first and then its children's. */
  pids(part: Part): Promise<number[]>;
  /** `kill -9`; what was killed is gone when it resolves. */
  kill(parts: Part[]): Promise<void>;
  /** Starts what was killed, on the same port; the server answers when it resolves. */
  revive(parts: Part[]): Promise<void>;
  /** Stops PostgreSQL without ending it. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

export type Part = 'server' | 'PostgreSQL';

/**
 * @param env settings of the server that differ from what suits both chaos and benchmark
 * @param through the URL by which the server reaches PostgreSQL, when it is another
 */
export async function startEnvironment(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  through: (databaseUrl: string) => Promise<string> = async (url) => url,
): Promise<Environment> {
  await using building = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'waybill-environment-'));
  building.defer(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'postgres');
  let postgres: Postgres = await startPostgres({ dataDir }); // as it comes: fsync is on
  building.defer(() => postgres.stop());
  const databaseUrl = postgres.url;
  const [port, databasePort] = [await freePort(), Number(new URL(databaseUrl).port)];
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const settings = {
    RATE_LIMIT: '999999999',
    ...env,
    BASE_URL: baseUrl,
    DATABASE_URL: await through(databaseUrl),
    HOST: '127.0.0.1',
    PORT: String(port),
    SIGNING_KEYS: 'public-key-of-a-temporary-environment',
    STORAGE_URL: pathToFileURL(join(folder, 'files')).href,
  };
  const run = { env: settings, signal };
  await waybill(run, 'migrate');
  const account = await makeAccount(run);

  let child: ChildProcess | undefined;
  const cluster = join(dataDir, 'cluster');
  const serve = (): void => {
    child = launch(server(settings), 'ignore');
  };
  const ready = (): Promise<void> => answers(new URL('/health/ready', baseUrl).href, signal);
  building.defer(async () => {
    if (child) await end(child);
  });
  serve();
  await ready();

  const pids = async (part: Part): Promise<number[]> => {
    if (part === 'server') return child?.pid ? [child.pid] : [];
    const postmaster = await readPostmaster(cluster);
    return postmaster ? familyOf(postmaster.pid) : [];
  };
  const signalPostgres = async (name: NodeJS.Signals): Promise<void> => {
    for (const pid of await pids('PostgreSQL')) if (isAlive(pid)) process.kill(pid, name);
  };
  const rest = building.move();
  return {
    shipper: { baseUrl, apiKey: account.api_key },
    carrier: { baseUrl, apiKey: account.carrier_api_key },
    databaseUrl,
    accountId: account.account_id,
    run,
    pids,
    async kill(parts) {
      // A stopped postmaster starts no child that would be overlooked, and work on after it.
      const [postmaster] = parts.includes('PostgreSQL') ? await pids('PostgreSQL') : [];
      if (postmaster) process.kill(postmaster, 'SIGSTOP');
      const victims = (await Promise.all(parts.map(pids))).flat();
      const gone = [parts.includes('server') && child ? ended(child) : undefined];
      if (parts.includes('PostgreSQL')) gone.push(postgres.exited);
      for (const pid of victims) killOne(pid);
      await Promise.all(gone);
      await until(() => !victims.some(isAlive), 10_000);
    },
    async revive(parts) {
      if (parts.includes('PostgreSQL')) postgres = await restart(dataDir, databasePort);
      if (parts.includes('server')) serve();
      await ready();
    },
    freeze: () => signalPostgres('SIGSTOP'),
    thaw: () => signalPostgres('SIGCONT'),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}

/** The first attempts may meet a child of the killed PostgreSQL that has not ended yet. */
async function restart(dataDir: string, port: number): Promise<Postgres> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startPostgres({ dataDir, port });
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}
