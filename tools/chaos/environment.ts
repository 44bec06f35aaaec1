import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientOptions } from '@waybill/client';
import { type Postgres, startPostgres } from '../postgres/postgres.ts';
import { readPostmaster, waitUntil } from '../postgres/postmaster.ts';
import { freePort } from '../processes/free-port.ts';
import { exited, sendSignal, stopChild } from '../processes/kill.ts';
import { processAndChildren } from '../processes/process-tree.ts';
import { launch } from '../start/child.ts';
import { createDemoAccount } from '../start/demo-account.ts';
import { type CommandContext, server, waitForResponse, waybill } from '../start/programs.ts';

/** A PostgreSQL and a server in a temporary folder, which can be killed and restarted. */
export interface Environment extends AsyncDisposable {
  shipper: ClientOptions & { baseUrl: string };
  carrier: ClientOptions & { baseUrl: string };
  databaseUrl: string;
  accountId: string;
  /** For `waybill` commands in this environment. */
  commandContext: CommandContext;
  /** Process ids: of the server; of PostgreSQL, the postmaster first, then its children. */
  pids(part: Part): Promise<number[]>;
  /** `kill -9`; resolves when the processes have ended. */
  kill(parts: Part[]): Promise<void>;
  /** Starts killed parts on the same ports; resolves when the server is ready. */
  restart(parts: Part[]): Promise<void>;
  /** SIGSTOP and SIGCONT to all processes of PostgreSQL. */
  suspendPostgres(): Promise<void>;
  resumePostgres(): Promise<void>;
}

export type Part = 'server' | 'PostgreSQL';

/**
 * @param env more settings of the server
 * @param proxied returns the URL by which the server reaches PostgreSQL
 */
export async function startEnvironment(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  proxied: (databaseUrl: string) => Promise<string> = async (url) => url,
): Promise<Environment> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'waybill-environment-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'postgres');
  let postgres: Postgres = await startPostgres({ dataDir }); // fsync is on, as in production
  stack.defer(() => postgres.stop());
  const databaseUrl = postgres.url;
  const [port, databasePort] = [await freePort(), Number(new URL(databaseUrl).port)];
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const settings = {
    RATE_LIMIT: '999999999',
    ...env,
    BASE_URL: baseUrl,
    DATABASE_URL: await proxied(databaseUrl),
    HOST: '127.0.0.1',
    PORT: String(port),
    SIGNING_KEYS: 'not-a-secret-not-a-secret-not-a-secret',
    STORAGE_URL: pathToFileURL(join(folder, 'files')).href,
  };
  const commandContext = { env: settings, signal };
  await waybill(commandContext, 'migrate');
  const account = await createDemoAccount(commandContext);

  let child: ChildProcess | undefined;
  const cluster = join(dataDir, 'cluster');
  const serve = (): void => {
    child = launch(server(settings), 'ignore');
  };
  const ready = (): Promise<void> => waitForResponse(new URL('/health/ready', baseUrl).href, signal);
  stack.defer(async () => {
    if (child) await stopChild(child);
  });
  serve();
  await ready();

  const pids = async (part: Part): Promise<number[]> => {
    if (part === 'server') return child?.pid ? [child.pid] : [];
    const postmaster = await readPostmaster(cluster);
    return postmaster ? processAndChildren(postmaster.pid) : [];
  };
  const signalPostgres = async (name: NodeJS.Signals): Promise<void> => {
    for (const pid of await pids('PostgreSQL')) sendSignal(pid, name);
  };
  const resources = stack.move();
  return {
    shipper: { baseUrl, apiKey: account.api_key },
    carrier: { baseUrl, apiKey: account.carrier_api_key },
    databaseUrl,
    accountId: account.account_id,
    commandContext,
    pids,
    async kill(parts) {
      // A suspended postmaster cannot fork a child that this list misses.
      const [postmaster] = parts.includes('PostgreSQL') ? await pids('PostgreSQL') : [];
      if (postmaster) process.kill(postmaster, 'SIGSTOP');
      const victims = (await Promise.all(parts.map(pids))).flat();
      const ends = [parts.includes('server') && child ? exited(child) : undefined];
      if (parts.includes('PostgreSQL')) ends.push(postgres.exited);
      for (const pid of victims) sendSignal(pid, 'SIGKILL');
      await Promise.all(ends);
      await waitUntil(() => !victims.some((pid) => sendSignal(pid, 0)), 10_000);
    },
    async restart(parts) {
      if (parts.includes('PostgreSQL')) postgres = await restartPostgres(dataDir, databasePort);
      if (parts.includes('server')) serve();
      await ready();
    },
    suspendPostgres: () => signalPostgres('SIGSTOP'),
    resumePostgres: () => signalPostgres('SIGCONT'),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Retries, because a child of the killed PostgreSQL may still be running. */
async function restartPostgres(dataDir: string, port: number): Promise<Postgres> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startPostgres({ dataDir, port });
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}
