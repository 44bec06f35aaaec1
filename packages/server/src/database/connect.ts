import { DefaultConnectionProvider, DefaultQueryExecutor, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type FairQueue, fairQueue, NoSlot } from '../fairness/fair-queue.ts';
import { type CitusDetection, prepareSession, registerDetection } from './citus.ts';
import { QueueFull } from './errors.ts';
import { type DatabaseObserver, setObserver } from './observer.ts';
import { kyselyPool } from './pool.ts';
import { setPool } from './pool-status.ts';
import type { Tables } from './tables.ts';
import { type ConnectionWatch, watchConnections } from './watch.ts';

export type Database = Kysely<Tables>;

/** A pool of connections as a database. */
export interface PooledDatabase extends Database {
  /** The same database, whose connections accounts take in turns: many requests of one account delay only that account. */
  ofAccount(accountId: string): Database;
}

/** Milliseconds that a command of the command line waits for a connection. */
const commandConnectTimeout = 15_000;
/** Callers that may wait for a connection, per connection of the pool. */
const waitingPerConnection = 200;

export interface ConnectOptions {
  url: string;
  poolSize: number;
  /** Whether to use prepared statements with generic plans and session settings. An old PgBouncer supports neither. */
  prepared: boolean;
  /**
   * Milliseconds that a caller waits for a connection, and for each statement. After that, the connection is closed.
   * Leave it out for statements of any duration, such as migrations.
   */
  timeout?: number;
  /** Called when a connection is lost. */
  onError?: (error: Error) => void;
  observer?: DatabaseObserver;
}

/**
 * Every statement has one generic plan per connection, made perhaps while its tables were empty. It must look rows up in
 * indexes, or it would read whole tables when they have grown.
 */
export const indexedPlans: Record<string, string> = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};

/** Makes a pool of connections. It connects with the first query. */
export function connect(options: ConnectOptions): PooledDatabase {
  const { url, poolSize, prepared, timeout, onError = () => {}, observer } = options;
  const watch = timeout === undefined ? undefined : watchConnections(url, timeout);
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    keepAlive: true,
    pipeline: true, // statements are sent before earlier ones have ended: see round-trips.ts
    connectionTimeoutMillis: timeout ?? commandConnectTimeout,
    ...(watch && { Client: watchedClient(watch) as typeof pg.Client }),
    ...(prepared && { options: sessionSettings(timeout) }),
  });
  pool.on('error', onError);
  pool.on('connect', (client) => {
    // The pool does not handle errors of a checked-out client; an unhandled one would end the process.
    client.on('error', onError);
  });
  const detection: CitusDetection = { isCitus: undefined };
  const adapted = kyselyPool(pool, {
    maxWaiting: poolSize * waitingPerConnection,
    prepared,
    watch,
    observer,
    prepareSession: (client) => prepareSession(client, detection),
  });
  const db = databaseOf(new PostgresDialect({ pool: adapted }), connectionQueue(poolSize, timeout));
  registerDetection(db, detection);
  setPool(db, pool);
  if (observer) setObserver(db, observer);
  return db;
}

/** Connections that requests leave to batches and jobs. They need one for a short time only. */
const sharedConnections = 2;

function connectionQueue(poolSize: number, timeout: number = commandConnectTimeout): FairQueue {
  const slots = Math.max(1, poolSize - sharedConnections);
  const maxWaiting = poolSize * waitingPerConnection;
  const slotsPerAccount = Math.max(1, Math.floor(slots * 0.75));
  return fairQueue({ slots, slotsPerAccount, maxWaiting, maxWaitingPerAccount: maxWaiting, timeout });
}

function databaseOf(dialect: PostgresDialect, connections: FairQueue): PooledDatabase {
  const driver = dialect.createDriver();
  void driver.init(); // only stores the pool
  const executor = new DefaultQueryExecutor(
    dialect.createQueryCompiler(),
    dialect.createAdapter(),
    new DefaultConnectionProvider(driver),
  );
  const parts = { config: { dialect }, dialect, driver };
  const ofAccount = (accountId: string): Database =>
    new Kysely<Tables>({
      ...parts,
      executor: executor.withConnectionProvider({
        provideConnection: (consumer) =>
          connections.run(accountId, () => executor.provideConnection(consumer)).catch(throwQueueFull),
      }),
    });
  return Object.assign(new Kysely<Tables>({ ...parts, executor }), { ofAccount });
}

function throwQueueFull(error: unknown): never {
  throw error instanceof NoSlot ? new QueueFull('Too many requests wait for a connection.') : error;
}

/**
 * Milliseconds after which PostgreSQL ends what takes too long. They are shorter than the timeout of the caller. The lock
 * limit is the shortest: its error is more specific.
 */
export const sessionLimits = (timeout: number): Record<string, number> => ({
  lock_timeout: Math.ceil(timeout * 0.75),
  statement_timeout: Math.ceil(timeout * 0.875),
  idle_in_transaction_session_timeout: Math.ceil(timeout * 1.25),
});

function sessionSettings(timeout: number | undefined): string {
  return Object.entries({ ...indexedPlans, ...(timeout && sessionLimits(timeout)) })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** Makes the class of clients that are watched while they connect. */
const watchedClient = (watch: ConnectionWatch): (new (config: pg.ClientConfig) => pg.Client) =>
  class extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super(config);
      watch.startWaiting(this);
      this.once('connect', () => watch.stopWaiting(this));
      this.once('end', () => watch.stopWaiting(this));
    }
  };
