import { DefaultConnectionProvider, DefaultQueryExecutor, Kysely, PostgresDialect, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { type FairQueue, fairQueue, NoSlot } from '../concurrency/fair-queue.ts';
import { type DatabaseObserver, PoolDriver } from './driver.ts';
import { isCanceled, isLockTimeout, Overloaded } from './errors.ts';
import { Sessions } from './sessions.ts';
import type { Tables } from './tables.ts';
import { timeParser } from './times.ts';
import { type ConnectionWatch, watchConnections } from './watch.ts';

/** Milliseconds that a command of the command line waits for a connection. */
const commandConnectTimeout = 15_000;
/** Callers that may wait for a connection, per connection of the pool. */
const waitingPerConnection = 200;

interface DatabaseSettings {
  url: string;
  poolSize: number;
  /** Whether to use prepared statements with generic plans. An old PgBouncer does not support them. */
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

/** Numbers of connections, and of the callers that wait for one. */
export interface PoolStatus {
  inUse: number;
  idle: number;
  waiting: number;
  max: number;
}

interface KyselyParts {
  config: { dialect: PostgresDialect };
  dialect: PostgresDialect;
  driver: PoolDriver;
}

/** The database of a process: a pool of connections, which connects with the first query. */
export class Database extends Kysely<Tables> {
  readonly pool: pg.Pool;
  readonly observer: DatabaseObserver | undefined;
  readonly #parts: KyselyParts;
  readonly #executor: DefaultQueryExecutor;
  readonly #queue: FairQueue;
  readonly #sessions: Sessions;
  /** By account. Shards may move to other nodes. */
  #nodes: LRUCache<string, string> | undefined;

  constructor(settings: DatabaseSettings) {
    const { poolSize, prepared, timeout, observer } = settings;
    const watch = timeout === undefined ? undefined : watchConnections(settings.url, timeout);
    const pool = openPool(settings, watch);
    const sessions = new Sessions(prepared, timeout);
    const maxWaiting = poolSize * waitingPerConnection;
    const driver = new PoolDriver({
      pool,
      maxWaiting,
      prepared,
      watch,
      observer,
      sessions,
    });
    const dialect = new PostgresDialect({ pool: async () => Promise.reject(new Error('PoolDriver has the pool')) });
    const executor = new DefaultQueryExecutor(
      dialect.createQueryCompiler(),
      dialect.createAdapter(),
      new DefaultConnectionProvider(driver),
    );
    const parts = { config: { dialect }, dialect, driver };
    super({ ...parts, executor });
    this.pool = pool;
    this.observer = observer;
    this.#parts = parts;
    this.#executor = executor;
    this.#queue = connectionQueue(poolSize, maxWaiting, timeout);
    this.#sessions = sessions;
  }

  /** The same database, whose connections accounts share fairly: many requests of one account delay only that account. */
  ofAccount(accountId: string): Kysely<Tables> {
    const executor = this.#executor;
    const fair = executor.withConnectionProvider({
      provideConnection: (consumer) =>
        this.#queue.run(accountId, () => executor.provideConnection(consumer)).catch(throwOverloaded),
    });
    return new Kysely<Tables>({ ...this.#parts, executor: fair });
  }

  /**
   * Whether the database has the extension Citus, so that statements must name one account each, and a statement must not
   * change several tables (decision 0022). It is detected once: restart the service after the extension was created.
   */
  async isCitus(): Promise<boolean> {
    return (await this.#detected()).isCitus;
  }

  /** Whether a connection pooler such as PgBouncer is between this process and PostgreSQL. It is detected once. */
  async isPooled(): Promise<boolean> {
    return (await this.#detected()).isPooled;
  }

  /** The settings of each session, by name, as `set` takes them. */
  async sessionSettings(): Promise<Record<string, string>> {
    return (await this.#detected()).settings();
  }

  /** The first connection detects what the database is. */
  async #detected(): Promise<Sessions> {
    if (!this.#sessions.isDetected) await this.connection().execute(async () => {});
    return this.#sessions;
  }

  /** The node of Citus that has the rows of an account; the same for all accounts when they are not distributed. */
  async nodeOf(accountId: string): Promise<string> {
    if (!(await this.isCitus())) return ''; // and no room is taken for nodes
    this.#nodes ??= new LRUCache({
      max: 100_000,
      ttl: 60_000,
      fetchMethod: (id) => findNode(this, id).catch(() => undefined), // a write without it is only slower
    });
    return (await this.#nodes.fetch(accountId)) ?? '';
  }

  /**
   * Whether a statement has waited for a lock for too long. A worker of Citus does not know `lock_timeout`: there such a wait may
   * end with `statement_timeout`, as a slow statement does.
   */
  mayBeLockTimeout(error: unknown): boolean {
    return isLockTimeout(error) || (this.#sessions.isCitus && isCanceled(error));
  }

  status(): PoolStatus {
    const { totalCount, idleCount, waitingCount, options } = this.pool;
    const waiting = waitingCount + this.#queue.waiting();
    return { inUse: totalCount - idleCount, idle: idleCount, waiting, max: options.max };
  }
}

/** Opens a database. It connects with the first query. */
export const openDatabase = (settings: DatabaseSettings): Database => new Database(settings);

function openPool(
  { url, poolSize, timeout, onError = () => {} }: DatabaseSettings,
  watch: ConnectionWatch | undefined,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    keepAlive: true,
    pipeline: true, // statements are sent before earlier ones have ended: see driver.ts
    types: { getTypeParser },
    connectionTimeoutMillis: timeout ?? commandConnectTimeout,
    ...(watch && { Client: watchedClient(watch) as typeof pg.Client }),
  });
  pool.on('error', onError);
  pool.on('connect', (client) => {
    // The pool does not handle errors of a checked-out client; an unhandled one would end the process.
    client.on('error', onError);
  });
  return pool;
}

const { INT8, TIMESTAMPTZ } = pg.types.builtins;
const parseTime = timeParser(pg.types.getTypeParser(TIMESTAMPTZ));

/** A bigint is a number, not text: none that the service stores or counts reaches 2^53. */
export const getTypeParser: typeof pg.types.getTypeParser = (oid, format) => {
  if (oid === INT8) return Number;
  return oid === TIMESTAMPTZ && format !== 'binary' ? parseTime : pg.types.getTypeParser(oid, format);
};

/** @returns undefined when the tables are not distributed */
async function findNode(database: Database, accountId: string): Promise<string | undefined> {
  const { rows } = await sql<{ node: string }>`
    select groupid::text as node from pg_dist_placement
    where shardid = (
      select get_shard_id_for_distribution_column(logicalrelid, ${accountId}::uuid)
      from pg_dist_partition where logicalrelid = to_regclass('shipments'))`.execute(database);
  return rows[0]?.node;
}

/** Connections that requests leave to batches and jobs. They need one for a short time only. */
const sharedConnections = 2;

function connectionQueue(poolSize: number, maxWaiting: number, timeout: number = commandConnectTimeout): FairQueue {
  const slots = Math.max(1, poolSize - sharedConnections);
  const slotsPerAccount = Math.max(1, Math.floor(slots * 0.75));
  return fairQueue({ slots, slotsPerAccount, maxWaiting, maxWaitingPerAccount: maxWaiting, timeout });
}

function throwOverloaded(error: unknown): never {
  throw error instanceof NoSlot ? new Overloaded('Too many requests wait for a connection.') : error;
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

/** Other parameters would override timeouts, encodings and the protocol, which the service sets. */
const urlParameters = [
  'application_name',
  'channel_binding',
  'host',
  'port',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslrootcert',
  'uselibpqcompat',
];
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** Returns what is wrong with the URL of a database, as a clause without the password; undefined when it is valid. */
export function databaseUrlError(text: string): string | undefined {
  if (/^\w+:\/\/([^/?#]*@)?[^/?#@]*,[^/?#@]*([/?#]|$)/.test(text)) return 'must name one host';
  // With a socket, as in `postgres://user@/waybill?host=/run/postgresql`, the host before it may be missing.
  const url = text.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?]|$)/, '$1localhost');
  if (!URL.canParse(url)) return 'is not a URL; in a password, write / as %2F, ? as %3F and # as %23';
  const { protocol, searchParams, hash } = new URL(url);
  if (!['postgres:', 'postgresql:'].includes(protocol)) return 'must begin with postgres://';
  if (hash) return 'must not have a fragment; in a password, write # as %23';
  const other = [...searchParams.keys()].find((name) => !urlParameters.includes(name));
  if (other !== undefined) return `must not have the parameter ${other}, only ${urlParameters.join(', ')}`;
  const sslMode = searchParams.get('sslmode');
  if (sslMode !== null && !sslModes.includes(sslMode)) return `must have an sslmode of ${sslModes.join(', ')}`;
  try {
    new pg.Client(text); // throws when a part cannot be decoded or a certificate cannot be read
    return undefined;
  } catch (error) {
    return `is not valid (${error instanceof Error ? error.message : error})`;
  }
}
