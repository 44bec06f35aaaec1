import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { unlessRunning } from '../concurrency/unless-running.ts';
import { ConnectionLost, HalfOpenConnection } from './errors.ts';
import type { Tables } from './tables.ts';

/** Tracks the clients that wait for PostgreSQL. */
export interface ConnectionWatch {
  /** Call when a client starts to connect, and for each query that it sends. */
  startWaiting(client: pg.ClientBase): void;
  /** Call when PostgreSQL has responded to one of them. */
  stopWaiting(client: pg.ClientBase): void;
  close(): void;
}

/** How many times longer than a check a healthy connection may take. */
const slowness = 5;

/**
 * Closes the connection of a client that has waited for `timeout` milliseconds. In the pool it would count as healthy.
 * After half a second, or an eighth of the timeout, it checks over a separate connection whether PostgreSQL
 * waits for the client in turn. Then the query or its response is lost, and the connection is closed at once: the service
 * recovers as soon as the network does. The check itself shows how slow the machines are: a client that has waited only a few times
 * longer than that is left alone, because PostgreSQL may not have read its query yet.
 */
export function watchConnections(url: string, timeout: number): ConnectionWatch {
  /** For how many responses a client waits, and since when it has got none. */
  const waiting = new Map<pg.ClientBase, { responses: number; since: number }>();
  const checkAfter = Math.min(timeout / 8, 500);
  const interval = checkAfter / 5;
  const waitingLongerThan = (age: number): [pg.ClientBase, number][] =>
    [...waiting].flatMap(([client, { since }]) => (performance.now() - since > age ? [[client, since]] : []));

  const closeHalfOpen = async (): Promise<void> => {
    const started = performance.now();
    let suspects = waitingLongerThan(checkAfter);
    const stillWaiting = () => suspects.filter(([client, since]) => waiting.get(client)?.since === since);
    // Called after the new connection is open: a session must not be terminated once its response has arrived.
    const findSessions = () => {
      const minIdle = checkAfter + slowness * (performance.now() - started);
      suspects = stillWaiting().filter(([, since]) => performance.now() - since > minIdle);
      return { processIds: suspects.map(([client]) => processIdOf(client)), minIdle };
    };
    const terminated = new Set(await terminateOverNewConnection(url, findSessions, checkAfter));
    await setTimeout(interval); // responses that have arrived in the meantime are read first
    for (const [client] of stillWaiting()) {
      const id = processIdOf(client);
      const isHalfOpen = id === 0 || terminated.has(id);
      if (isHalfOpen) destroyConnection(client, new HalfOpenConnection('The connection is half-open.'));
    }
  };

  // PostgreSQL is unreachable when it fails: every caller waits until its timeout.
  const checks = unlessRunning(() => closeHalfOpen().catch(() => {}));
  let previous = performance.now();
  const timer = setInterval(() => {
    // After a long pause of this process, responses may have arrived that it has not read yet: it waits from now on.
    const now = performance.now();
    const isLate = now - previous > 5 * interval;
    previous = now;
    if (isLate) {
      for (const each of waiting.values()) each.since = now;
      return;
    }
    for (const [client] of waitingLongerThan(timeout)) {
      destroyConnection(client, new ConnectionLost('PostgreSQL did not respond in time.'));
    }
    if (waitingLongerThan(checkAfter).length > 0) checks.start();
  }, interval).unref();

  return {
    startWaiting(client) {
      const known = waiting.get(client);
      if (known) known.responses++;
      else waiting.set(client, { responses: 1, since: performance.now() });
    },
    stopWaiting(client) {
      const known = waiting.get(client);
      if (!known) return; // the connection has ended
      known.responses--;
      known.since = performance.now();
      if (known.responses === 0) waiting.delete(client);
    },
    close: () => clearInterval(timer),
  };
}

/** Returns the id of the server process of a client; 0 when the client is not connected yet. */
export const processIdOf = (client: pg.ClientBase): number => (client as { processID?: number | null }).processID ?? 0;

/** Closes the connection of a client without waiting for PostgreSQL. Its pending queries are rejected with `reason`. */
export function destroyConnection(client: pg.ClientBase, reason: ConnectionLost): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy(reason);
}

/**
 * @param findSessions called when the connection is open
 * @throws when PostgreSQL cannot be reached within `timeout` milliseconds
 */
async function terminateOverNewConnection(
  url: string,
  findSessions: () => { processIds: number[]; minIdle: number },
  timeout: number,
): Promise<number[]> {
  const limits = { connectionTimeoutMillis: timeout, query_timeout: timeout };
  const pool = new pg.Pool({ connectionString: url, max: 1, ...limits });
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    const client = await pool.connect();
    client.release();
    const { processIds, minIdle } = findSessions();
    return await terminateIdleSessions(db, processIdOf(client), processIds, minIdle);
  } finally {
    db.destroy().catch(() => {});
  }
}

/**
 * Terminates those of the sessions that are idle, although their clients wait for a response. Behind PgBouncer it
 * terminates none: PgBouncer gives its clients random process ids, which may be those of other sessions.
 * @param ownProcessId the process id that the connection of `db` was given
 * @param minIdle milliseconds for which a session must have been idle
 * @returns the process ids of the terminated sessions
 */
export async function terminateIdleSessions(
  db: Kysely<Tables>,
  ownProcessId: number,
  processIds: number[],
  minIdle: number,
): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid, pg_terminate_backend(pid) from pg_stat_activity
    where pid = any(${processIds}::int[]) and state <> 'active'
      and state_change < clock_timestamp() - ${minIdle} * interval '1 ms'
      and pg_backend_pid() = ${ownProcessId}::int
  `.execute(db);
  return rows.map(({ pid }) => pid);
}
