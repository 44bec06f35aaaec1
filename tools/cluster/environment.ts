import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { killPostgres } from '../postgres/kill.ts';
import { startPostgres } from '../postgres/postgres.ts';
import { redisServer } from '../redis/redis-server.ts';
import { createDemoAccount } from '../start/demo-account.ts';
import { waybill } from '../start/programs.ts';
import { startInstances } from './instances.ts';
import { startPgBouncer } from './pgbouncer.ts';

export type ClusterEnvironment = Awaited<ReturnType<typeof startClusterEnvironment>>;

/**
 * Starts PostgreSQL, PgBouncer, Redis and two instances of the service behind a proxy, in a temporary folder. Each part can
 * be killed and restarted.
 * @param env more settings of the instances
 */
export async function startClusterEnvironment(env: NodeJS.ProcessEnv, stop: AbortSignal) {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'waybill-cluster-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));

  const dataDir = join(folder, 'postgres');
  let postgres = await startPostgres({ dataDir }); // fsync is on, as in production
  stack.defer(() => postgres.stop());
  const { url: databaseUrl } = postgres;
  const pgBouncer = stack.use(await startPgBouncer(databaseUrl));
  const redis = stack.use(await redisServer());
  await redis.start();

  const settings = {
    // The machine may be busy, and no outage waits for these times.
    DATABASE_TIMEOUT_MS: '15000',
    DRAIN_MS: '5000',
    OVERLOAD_DELAY_MS: '600000',
    RATE_LIMIT: '999999999',
    SHUTDOWN_TIMEOUT_MS: '60000',
    ...env,
    DATABASE_PREPARED: 'false',
    DATABASE_URL: pgBouncer.through(databaseUrl),
    EVENT_LISTEN_URL: databaseUrl,
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    SIGNING_KEYS: 'not-a-secret-not-a-secret-not-a-secret',
    STORAGE_URL: pathToFileURL(join(folder, 'files')).href,
  };
  const context = { env: settings, signal: stop };
  await waybill(context, 'migrate');
  const { account_id, api_key, carrier_api_key } = await createDemoAccount(context);
  const instances = stack.use(await startInstances(settings, stop));
  const { baseUrl } = instances;
  const resources = stack.move();
  return {
    accountId: account_id,
    shipper: { baseUrl, apiKey: api_key },
    carrier: { baseUrl, apiKey: carrier_api_key },
    /** Of PostgreSQL itself. */
    databaseUrl,
    /** Aborts when the user stops the command, and when an instance ends by itself. */
    signal: AbortSignal.any([stop, instances.crashed]),
    instances,
    pgBouncer,
    redis,
    pids: async (): Promise<number[]> => instances.pids(),
    killPostgres: () => killPostgres(postgres),
    /** Starts PostgreSQL again on the same port. */
    async restartPostgres(): Promise<void> {
      postgres = await startPostgres({ dataDir, port: Number(new URL(databaseUrl).port) });
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
