import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;
export type { Transaction };

/** Everything that waits has an end, in milliseconds. */
const limits = { connect: 5_000, lock: 5_000, statement: 10_000, idleInTransaction: 10_000, silence: 15_000 };

export interface Connection {
  url: string;
  poolSize: number;
  /** Prepared statements with generic plans, and limits on statements; an old PgBouncer can do neither. */
  prepared: boolean;
  onError?: (error: Error) => void;
}

/** A pool of connections. Nothing is connected before the first query. */
export function connect({ url, poolSize, prepared, onError = () => {} }: Connection): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: limits.connect,
    query_timeout: limits.silence,
    ...(prepared && {
      options: `-c plan_cache_mode=force_generic_plan -c statement_timeout=${limits.statement} -c lock_timeout=${limits.lock} -c idle_in_transaction_session_timeout=${limits.idleInTransaction}`,
    }),
  });
  pool.on('error', onError);
  pool.on('connect', (client) => {
    // A checked-out client's error is not the pool's: unheard, it would end the process when PostgreSQL goes away.
    client.on('error', onError);
    if (prepared) nameStatements(client);
  });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/**
 * Lets PostgreSQL parse and plan each statement once a connection. The name is a hash of the text, so texts must be
 * few: arrays as parameters, never lists of placeholders. Statements without parameters stay as they are, because
 * migrations send several in one.
 */
function nameStatements(client: pg.PoolClient): void {
  const names = new Map<string, string>();
  const query: (...args: unknown[]) => unknown = client.query.bind(client);
  const named = (text: unknown, values?: unknown, ...rest: unknown[]): unknown => {
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return query(text, values, ...rest);
    const name = names.get(text) ?? createHash('sha1').update(text).digest('base64url');
    names.set(text, name);
    return query({ name, text, values }, ...rest);
  };
  Object.assign(client, { query: named });
}
