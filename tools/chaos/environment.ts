import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ClientOptions } from '@waybill/client';
import { startProxy } from '../network/proxy.ts';
import { type Postgres, startPostgres } from '../postgres/postgres.ts';
import { freePort } from '../processes/free-port.ts';
import { sendSignal } from '../processes/kill.ts';
import { processAndChildren } from '../processes/process-tree.ts';
import { waitUntil } from '../processes/wait-until.ts';
import { type Child, startChild } from '../start/child.ts';
import { createDemoAccount } from '../start/demo-account.ts';
import { server as serverProgram, waitForResponse, waybill } from '../start/programs.ts';

export type Party = ClientOptions & { baseUrl: string; apiKey: string };

/** An account and its two keys. */
export interface Parties {
  accountId: string;
  shipper: Party;
  carrier: Party;
}

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;
export type Part = 'server' | 'PostgreSQL';

export interface EnvironmentOptions {
  /** Puts a proxy between the server and PostgreSQL. */
  withProxy?: boolean;
  /** Folder of PostgreSQL, a temporary one by default. */
  postgresFolder?: string;
  /** Settings of PostgreSQL, such as `{ max_connections: '20' }`. */
  postgresSettings?: Record<string, string>;
  /** Starts PostgreSQL again whenever it ends unexpectedly, as systemd does. Otherwise the environment fails. */
  isSupervised?: boolean;
}

/** Milliseconds between two attempts to start PostgreSQL again. */
const restartInterval = 500;

/**
 * Starts a PostgreSQL and a server in a temporary folder, which can be killed and restarted.
 * @param env more settings of the server
 */
export async function startEnvironment(env: NodeJS.ProcessEnv, stop: AbortSignal, options: EnvironmentOptions = {}) {
  const { withProxy = false, postgresSettings: pgSettings = {}, isSupervised = false } = options;
  await using stack = new AsyncDisposableStack();
  const failure = new AbortController();
  /** Aborts when the user stops the command, and when the server or PostgreSQL ends without being killed by `kill`. */
  const signal = AbortSignal.any([stop, failure.signal]);
  const folder = await mkdtemp(join(tmpdir(), 'waybill-environment-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));

  const dataDir = options.postgresFolder ?? join(folder, 'postgres');
  let postgres: Postgres | undefined; // undefined while it is killed
  const watchPostgres = (started: Postgres): void => {
    postgres = started;
    started.exited.then(() => {
      if (started !== postgres) return;
      if (isSupervised) restarting = restartPostgres();
      else failure.abort(new Error('PostgreSQL stopped unexpectedly.'));
    });
  };
  const restartPostgres = async (): Promise<void> => {
    for (postgres = undefined; !signal.aborted && !isOver; await setTimeout(restartInterval)) {
      try {
        return watchPostgres(await startPostgres({ dataDir, port: databasePort, settings: pgSettings }));
      } catch {} // for as long as the cause lasts
    }
  };
  let isOver = false;
  let restarting: Promise<void> | undefined;
  watchPostgres(await startPostgres({ dataDir, settings: pgSettings })); // fsync is on, as in production
  stack.defer(async () => {
    isOver = true;
    await restarting;
    const stopped = postgres;
    postgres = undefined;
    await stopped?.stop();
  });
  const databaseUrl = postgres?.url ?? '';
  const databasePort = Number(new URL(databaseUrl).port);
  const proxy = withProxy ? stack.use(await startProxy(databasePort)) : undefined;

  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const settings = {
    RATE_LIMIT: '999999999',
    STORAGE_URL: pathToFileURL(join(folder, 'files')).href,
    ...env,
    BASE_URL: baseUrl,
    DATABASE_URL: proxy?.through(databaseUrl) ?? databaseUrl,
    HOST: '127.0.0.1',
    PORT: String(port),
    SIGNING_KEYS: 'not-a-secret-not-a-secret-not-a-secret',
  };
  const context = { env: settings, signal };
  await waybill(context, 'migrate');
  const createAccount = async (): Promise<Parties> => {
    const { account_id, api_key, carrier_api_key } = await createDemoAccount(context);
    const party = (apiKey: string): Party => ({ baseUrl, apiKey });
    return { accountId: account_id, shipper: party(api_key), carrier: party(carrier_api_key) };
  };
  const parties = await createAccount();

  let server: Child | undefined;
  stack.defer(() => server?.[Symbol.asyncDispose]());
  const startServer = (): void => {
    server = startChild({ ...serverProgram(settings), quiet: true });
    server.failed.catch((error) => failure.abort(error));
  };
  const ready = (): Promise<void> => waitForResponse(new URL('/health/ready', baseUrl).href, signal);
  startServer();
  await ready();

  /** Process ids: of the server; of PostgreSQL, the postmaster first, then its children. */
  const pids = async (part: Part): Promise<number[]> => {
    if (part === 'server') return server?.pid ? [server.pid] : [];
    return postgres ? processAndChildren(postgres.pid) : [];
  };
  /** Sends a signal to all processes of PostgreSQL. */
  const signalPostgres = async (name: NodeJS.Signals): Promise<void> => {
    for (const pid of await pids('PostgreSQL')) sendSignal(pid, name);
  };
  stack.defer(() => signalPostgres('SIGCONT')); // a suspended PostgreSQL does not stop
  const resources = stack.move();
  return {
    ...parties,
    databaseUrl,
    proxy,
    signal,
    createAccount,
    pids,
    /** `kill -9`; resolves when the processes have ended. */
    async kill(parts: Part[]): Promise<void> {
      // A suspended postmaster cannot fork a child that the list of processes misses.
      const [postmaster] = parts.includes('PostgreSQL') ? await pids('PostgreSQL') : [];
      if (postmaster) sendSignal(postmaster, 'SIGSTOP');
      const killed = (await Promise.all(parts.map(pids))).flat();
      const ends = [parts.includes('server') ? server?.kill() : undefined];
      if (parts.includes('PostgreSQL')) {
        ends.push(postgres?.exited);
        postgres = undefined;
      }
      for (const pid of killed) sendSignal(pid, 'SIGKILL');
      await Promise.all(ends);
      await waitUntil(() => !killed.some((pid) => sendSignal(pid, 0)), 10_000);
    },
    /** Sends a signal to the postmaster alone; resolves when PostgreSQL has ended. */
    async endPostgres(name: NodeJS.Signals): Promise<void> {
      const ended = await pids('PostgreSQL');
      const exited = postgres?.exited;
      postgres = undefined;
      if (ended[0]) sendSignal(ended[0], name);
      await exited;
      await waitUntil(() => !ended.some((pid) => sendSignal(pid, 0)), 10_000);
    },
    /** Sends SIGTERM to the server; resolves when it has ended. */
    async stopServer(): Promise<void> {
      await server?.[Symbol.asyncDispose]();
    },
    /** Starts killed or stopped parts on the same ports; resolves when the server is ready. */
    async restart(parts: Part[]): Promise<void> {
      if (parts.includes('PostgreSQL'))
        watchPostgres(await startPostgres({ dataDir, port: databasePort, settings: pgSettings }));
      if (parts.includes('server')) startServer();
      await ready();
    },
    signalPostgres,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
