import { createHash } from 'node:crypto';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { withTimeLimit } from '../timing/time-limit.ts';
import { ConnectionLost, endsSession, HalfOpenConnection, isDatabaseError, QueueFull } from './errors.ts';
import type { DatabaseObserver } from './observer.ts';
import { savingRoundTrips } from './round-trips.ts';
import { type ConnectionWatch, destroyConnection } from './watch.ts';

interface PoolOptions {
  /** Callers that may wait for a connection. Further ones are rejected. */
  maxWaiting: number;
  prepared: boolean;
  watch: ConnectionWatch | undefined;
  observer: DatabaseObserver | undefined;
  /** Runs once for each new connection, before its first use. */
  prepareSession(client: pg.PoolClient): Promise<void>;
}

/** Minimum milliseconds between two replacements of all connections. */
const replaceInterval = 1_000;
/** Milliseconds that callers and PostgreSQL may take to finish when the pool ends. */
const endTimeout = 5_000;

/**
 * Adapts a pool for Kysely: the queue of callers is bounded, the clients are watched, and all clients are replaced after
 * an error that shows that their sessions are stale.
 */
export function kyselyPool(
  pool: pg.Pool,
  { maxWaiting, prepared, watch, observer, prepareSession }: PoolOptions,
): PostgresPool {
  let generation = 0;
  let replacedAt = Number.NEGATIVE_INFINITY;
  /** Without an entry, a client is closed instead of used again. */
  const generations = new WeakMap<pg.PoolClient, number>();
  const preparedSessions = new WeakSet<pg.PoolClient>();
  const statementName = prepared ? statementNames() : undefined;

  const replaceIfStale = (client: pg.PoolClient, error: unknown): void => {
    const now = performance.now();
    if (!isStaleSession(error) || generations.get(client) !== generation || now - replacedAt < replaceInterval) return;
    generation++;
    replacedAt = now;
  };
  const prepareOnce = async (client: pg.PoolClient): Promise<void> => {
    try {
      await prepareSession(client);
      preparedSessions.add(client);
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  const clients = new Set<pg.PoolClient>();
  let onEmpty: (() => void) | undefined;
  pool.on('remove', (client) => {
    clients.delete(client);
    if (clients.size === 0) onEmpty?.();
  });
  pool.on('connect', (client) => {
    clients.add(client);
    generations.set(client, generation);
    const query: (...args: unknown[]) => Promise<unknown> = client.query.bind(client);
    const observedQuery = async (text: string, values: unknown[]): Promise<unknown> => {
      const endStatement = observer?.startStatement(text);
      try {
        const isNamed = statementName && values.length > 0;
        const result = await query(isNamed ? { name: statementName(text), text, values } : text, values);
        endStatement?.();
        return result;
      } catch (error) {
        endStatement?.(error);
        // The client may get another statement before its connection is seen to close.
        if (endsSession(error)) generations.delete(client);
        else replaceIfStale(client, error);
        throw error;
      }
    };
    const send = savingRoundTrips(observedQuery);
    const watchedQuery = async (text: string, values: unknown[] = []): Promise<unknown> => {
      watch?.startWaiting(client);
      try {
        return await send(text, values);
      } finally {
        watch?.stopWaiting(client);
      }
    };
    Object.assign(client, { query: watchedQuery });
  });

  return {
    async connect(): Promise<PostgresPoolClient> {
      if (pool.waitingCount >= maxWaiting) throw new QueueFull('Too many requests wait for a connection.');
      for (;;) {
        const client = await connectWithRetry(() => pool.connect());
        if (generations.get(client) !== generation) {
          client.release(true);
          continue;
        }
        if (!preparedSessions.has(client)) await prepareOnce(client);
        return client as PostgresPoolClient;
      }
    },
    async end() {
      // The promise of pg resolves before its connections are closed.
      const closed = new Promise<void>((resolve) => {
        onEmpty = resolve;
        if (clients.size === 0) resolve();
      });
      const ended = pool.end().then(() => closed);
      await withTimeLimit(ended, endTimeout, () => {});
      for (const client of clients)
        destroyConnection(client, new ConnectionLost('The connection did not close in time.'));
      watch?.close();
    },
    options: pool.options,
  };
}

/** Connects. Tries again once when only the new connection failed and PostgreSQL was reachable. */
async function connectWithRetry(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  try {
    return await connect();
  } catch (error) {
    if (error instanceof HalfOpenConnection) return connect();
    throw error;
  }
}

/**
 * Whether an error shows that this session and those of the same age are stale: the server has become a replica and is
 * read-only, or the prepared statements are gone or older than a migration.
 */
function isStaleSession(error: unknown): boolean {
  if (!isDatabaseError(error)) return false;
  return error.code === '25006' || error.code === '26000' || error.message.startsWith('cached plan must not change');
}

/**
 * Makes names of prepared statements, so that PostgreSQL parses and plans each statement once per connection. A name is a
 * hash of the text. The number of texts must be small: pass arrays as parameters, never lists of placeholders. Statements
 * without parameters get no name, because migrations send several statements in one text.
 */
function statementNames(): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    let name = names.get(text);
    if (!name) {
      name = createHash('sha1').update(text).digest('base64url');
      names.set(text, name);
    }
    return name;
  };
}
