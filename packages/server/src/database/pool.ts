import { createHash } from 'node:crypto';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { isDatabaseError } from './errors.ts';
import { ConnectionForgotten, ConnectionLost, hangUp, type Watch } from './watch.ts';

interface Guard {
  /** Callers that may wait for a connection; the next one is refused. */
  maxWaiting: number;
  prepared: boolean;
  watch: Watch | undefined;
}

/** The least milliseconds between two replacements of all connections. */
const replaceInterval = 1_000;
/** Milliseconds that callers and PostgreSQL may take to end when the pool does. */
const endTimeout = 5_000;

/**
 * A pool for Kysely: its queue is bounded, its clients are watched, and all of them are replaced when one is seen to
 * lead to the wrong place.
 */
export function guardPool(pool: pg.Pool, { maxWaiting, prepared, watch }: Guard): PostgresPool {
  let generation = 0;
  let replacedAt = Number.NEGATIVE_INFINITY;
  const generations = new WeakMap<pg.PoolClient, number>();
  const names = prepared ? statementNames() : undefined;

  const replaceIfWrong = (client: pg.PoolClient, error: unknown): void => {
    const now = performance.now();
    if (!isWrongPlace(error) || generations.get(client) !== generation || now - replacedAt < replaceInterval) return;
    generation++;
    replacedAt = now;
  };
  const clients = new Set<pg.PoolClient>();
  let ending: (() => void) | undefined;
  pool.on('remove', (client) => {
    clients.delete(client);
    if (clients.size === 0) ending?.();
  });
  pool.on('connect', (client) => {
    clients.add(client);
    generations.set(client, generation);
    const query: (...args: unknown[]) => Promise<unknown> = client.query.bind(client);
    const guarded = async (text: string, values: unknown[] = []): Promise<unknown> => {
      watch?.begin(client);
      try {
        return await query(names && values.length > 0 ? { name: names(text), text, values } : text, values);
      } catch (error) {
        replaceIfWrong(client, error);
        throw error;
      } finally {
        watch?.end(client);
      }
    };
    Object.assign(client, { query: guarded });
  });

  return {
    async connect(): Promise<PostgresPoolClient> {
      if (pool.waitingCount >= maxWaiting) throw new ConnectionLost('Too many requests wait for a connection.');
      for (;;) {
        const client = await reached(() => pool.connect());
        if (generations.get(client) === generation) return client as PostgresPoolClient;
        client.release(true);
      }
    },
    async end() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, endTimeout);
      });
      // pg's own promise resolves before its connections are closed.
      const closed = new Promise<void>((resolve) => {
        ending = resolve;
        if (clients.size === 0) resolve();
      });
      await Promise.race([Promise.all([pool.end(), closed]), late]).finally(() => clearTimeout(timer));
      for (const client of clients) hangUp(client, new ConnectionLost('The connection did not close in time.'));
      watch?.close();
    },
    options: pool.options,
  };
}

/** Connects; once more when PostgreSQL was reachable, but not by the connection that was being made. */
async function reached(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  try {
    return await connect();
  } catch (error) {
    if (error instanceof ConnectionForgotten) return connect();
    throw error;
  }
}

/**
 * Whether an error says that this session, and those like it, are of no more use: its server became read-only because
 * another is the primary now, or its prepared statements are gone or were made before a migration.
 */
function isWrongPlace(error: unknown): boolean {
  if (!isDatabaseError(error)) return false;
  return error.code === '25006' || error.code === '26000' || error.message.startsWith('cached plan must not change');
}

/**
 * Names for statements, so that PostgreSQL parses and plans each once a connection. A name is a hash of the text, so
 * texts must be few: arrays as parameters, never lists of placeholders. Statements without parameters have none, because
 * migrations send several in one.
 */
function statementNames(): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text) ?? createHash('sha1').update(text).digest('base64url');
    names.set(text, name);
    return name;
  };
}
