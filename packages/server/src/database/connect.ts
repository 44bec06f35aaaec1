import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { guardPool } from './pool.ts';
import type { Tables } from './tables.ts';
import { type Watch, watchConnections } from './watch.ts';

export type Database = Kysely<Tables>;
export type { Transaction };

/** Milliseconds that a command waits for a connection. */
const connectTimeout = 15_000;
/** Callers that may wait for a connection, for each connection of the pool. */
const waitingPerConnection = 200;

export interface Connection {
  url: string;
  poolSize: number;
  /** Prepared statements with generic plans, and limits on statements; an old PgBouncer can do neither. */
  prepared: boolean;
  /**
   * Milliseconds that a caller waits for a connection, and for each statement; then the connection is closed. Left out
   * where a statement may take as long as it likes, as a migration may.
   */
  timeout?: number;
  onError?: (error: Error) => void;
}

/** A pool of connections. Nothing is connected before the first query. */
export function connect({ url, poolSize, prepared, timeout, onError = () => {} }: Connection): Database {
  const watch = timeout === undefined ? undefined : watchConnections(url, timeout);
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    keepAlive: true,
    connectionTimeoutMillis: timeout ?? connectTimeout,
    ...(watch && { Client: watchedClient(watch) as typeof pg.Client }),
    ...(prepared && { options: sessionSettings(timeout) }),
  });
  pool.on('error', onError);
  pool.on('connect', (client) => {
    // A checked-out client's error is not the pool's: unheard, it would end the process when PostgreSQL goes away.
    client.on('error', onError);
  });
  const guarded = guardPool(pool, { maxWaiting: poolSize * waitingPerConnection, prepared, watch });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guarded }) });
}

/** PostgreSQL's limits end before the caller's: a lock's first, because its error says more than a statement's. */
function sessionSettings(timeout: number | undefined): string {
  const limits = timeout && {
    lock_timeout: timeout * 0.75,
    statement_timeout: timeout * 0.875,
    idle_in_transaction_session_timeout: timeout * 1.25,
  };
  return Object.entries({ plan_cache_mode: 'force_generic_plan', ...limits })
    .map(([name, value]) => `-c ${name}=${typeof value === 'number' ? Math.ceil(value) : value}`)
    .join(' ');
}

/** A client that is watched while it connects. */
const watchedClient = (watch: Watch): (new (config: pg.ClientConfig) => pg.Client) =>
  class extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super(config);
      watch.begin(this);
      this.once('connect', () => watch.end(this));
      this.once('end', () => watch.end(this));
    }
  };
