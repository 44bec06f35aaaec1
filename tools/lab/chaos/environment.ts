import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientOptions } from '@waybill/client';
import { type Account, createAccount } from '@waybill/sandbox/demo/account';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { waybill } from '@waybill/sandbox/service';
import { startInstances } from '../cluster/instances.ts';
import { type PgBouncer, startPgBouncer } from '../cluster/pgbouncer.ts';
import { type RedisServer, redisServer } from '../cluster/redis-server.ts';
import { type RestartablePostgres, startRestartablePostgres } from '../cluster/restartable-postgres.ts';
import { type RestartableServer, startServer } from '../cluster/server.ts';
import { type NetworkProxy, startProxy } from '../network/proxy.ts';
import { type Disk, mountDisk } from './disk.ts';
import { faketime, type Need } from './needs.ts';

export type Party = ClientOptions & { baseUrl: string; apiKey: string };

/** An account and its two keys. */
export interface Parties {
  accountId: string;
  shipper: Party;
  carrier: Party;
}

/** A running service with everything that a fault can break. */
export interface Environment extends Parties, AsyncDisposable {
  createAccount(): Promise<Parties>;
  /** Of PostgreSQL itself; the user is a superuser. */
  databaseUrl: string;
  /** Aborts when the user stops the command, and when a part ends by itself. */
  signal: AbortSignal;
  /** One, or the two instances of a cluster. */
  servers: RestartableServer[];
  /** Undefined when the environment uses another database. */
  postgres: RestartablePostgres | undefined;
  pgBouncer: PgBouncer | undefined;
  redis: RedisServer | undefined;
  /** Between the server and PostgreSQL. */
  proxy: NetworkProxy | undefined;
  storageDisk: Disk | undefined;
  databaseDisk: Disk | undefined;
  /** Of the log of the server, which this process reads otherwise. */
  logDisk: Disk | undefined;
  /** Shifts the clock of the server's process. @param seconds relative to the real time */
  setClock(seconds: number): Promise<void>;
}

export interface EnvironmentOptions {
  /** Starts two instances behind HAProxy, with Redis. */
  isCluster?: boolean;
  /** Puts PgBouncer before PostgreSQL, which then parses each statement; by default in a cluster. */
  hasPooler?: boolean;
  /** What the faults need. */
  needs?: Need[];
  /** The URL of an empty database of Citus, which takes the place of a PostgreSQL. */
  citus?: string;
  /** Settings of PostgreSQL, such as `{ max_connections: '20' }`. */
  postgresSettings?: Record<string, string>;
}

/** Sizes of the disks in MiB. PostgreSQL needs 100 of its own for an empty database. */
const [storageSize, databaseSize, logSize] = [128, 512, 32] as const;
/** Without a journal of 1 GB, the disk of PostgreSQL is filled soon. */
const smallDisk = { max_wal_size: '32MB', min_wal_size: '32MB' };

/**
 * Starts PostgreSQL and the service in a temporary folder, so that each part can be killed and started again.
 * @param env more settings of the server
 */
export async function startEnvironment(
  env: NodeJS.ProcessEnv,
  stop: AbortSignal,
  { isCluster = false, hasPooler = isCluster, needs = [], citus, postgresSettings = {} }: EnvironmentOptions = {},
): Promise<Environment> {
  await using stack = new AsyncDisposableStack();
  const failure = new AbortController();
  const signal = AbortSignal.any([stop, failure.signal]);
  const fail = (error: unknown): void => failure.abort(error);
  const { path: folder } = stack.use(await mkdtempDisposable(join(tmpdir(), 'waybill-environment-')));
  const mount = async (need: Need, size: number) =>
    needs.includes(need) ? stack.use(await mountDisk(size)) : undefined;
  const storageDisk = await mount('storage disk', storageSize);
  const databaseDisk = await mount('database disk', databaseSize);
  const logDisk = await mount('log disk', logSize);

  const postgresOptions = {
    dataDir: databaseDisk?.folder ?? join(folder, 'postgres'),
    settings: { ...postgresSettings, ...(databaseDisk && smallDisk) }, // fsync is on, as in production
    isSupervised: databaseDisk !== undefined,
  };
  const postgres = citus === undefined ? stack.use(await startRestartablePostgres(postgresOptions, fail)) : undefined;
  const databaseUrl = citus ?? postgres?.url ?? '';
  const proxy = needs.includes('network') ? stack.use(await startProxy(Number(new URL(databaseUrl).port))) : undefined;
  const pgBouncer = hasPooler ? stack.use(await startPgBouncer(databaseUrl)) : undefined;
  const redis = isCluster || needs.includes('redis') ? stack.use(await redisServer()) : undefined;
  await redis?.start();

  const clock = join(folder, 'clock');
  const setClock = (seconds: number): Promise<void> => writeFile(clock, `${seconds < 0 ? '' : '+'}${seconds}`);
  await setClock(0);
  const settings = {
    BASE_URL: '', // unset for commands: vitest has a variable of this name
    HOST: '127.0.0.1',
    RATE_LIMIT: '999999999',
    SIGNING_KEYS: 'not-a-secret-not-a-secret-not-a-secret',
    STORAGE_URL: pathToFileURL(storageDisk?.folder ?? join(folder, 'files')).href,
    ...(redis && { REDIS_URL: `redis://127.0.0.1:${redis.port}` }),
    ...(needs.includes('clock') && {
      LD_PRELOAD: faketime,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_CACHE_DURATION: '1', // seconds until a change is seen
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }),
    ...(pgBouncer && { DATABASE_PREPARED: 'false', EVENT_LISTEN_URL: databaseUrl }),
    ...env,
    DATABASE_URL: (pgBouncer ?? proxy)?.through(databaseUrl) ?? databaseUrl,
  };
  await waybill(settings, 'migrate');
  if (citus !== undefined) await waybill(settings, 'distribute');
  const logFile = logDisk && join(logDisk.folder, 'log');
  const starting = isCluster ? startInstances(settings, signal, fail) : startOne(settings, signal, fail, logFile);
  const [{ baseUrl, servers }, account] = await Promise.all([
    starting.then((service) => stack.use(service)),
    createAccount(settings, 'Load'), // while the service starts
  ]);
  const partiesOf = ({ account_id, api_key, carrier_api_key }: Account): Parties => {
    const party = (apiKey: string): Party => ({ baseUrl, apiKey });
    return { accountId: account_id, shipper: party(api_key), carrier: party(carrier_api_key) };
  };
  const resources = stack.move();
  const parts = { postgres, storageDisk, databaseDisk, logDisk, pgBouncer, redis, proxy };
  return {
    ...partiesOf(account),
    ...parts,
    createAccount: () => createAccount(settings, crypto.randomUUID()).then(partiesOf),
    databaseUrl,
    signal,
    servers,
    setClock,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function startOne(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  fail: (error: unknown) => void,
  logFile: string | undefined,
) {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const server = await startServer({ ...env, BASE_URL: baseUrl, PORT: String(port) }, signal, fail, logFile);
  return { baseUrl, servers: [server], [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
