import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

/** No response within the time that a caller waits. */
export class ConnectionLost extends Error {
  readonly code = 'ETIMEDOUT';
}
/** A connection that only one end still used, of a PostgreSQL that other connections reach. */
export class ConnectionForgotten extends ConnectionLost {}

/** Keeps an eye on clients that wait for PostgreSQL. */
export interface Watch {
  /** The client has begun to connect, or sent a query. */
  begin(client: pg.ClientBase): void;
  /** PostgreSQL has responded. */
  end(client: pg.ClientBase): void;
  close(): void;
}

/**
 * Closes the connection of a client that has waited for `timeout` milliseconds: in the pool, it would be taken for a
 * healthy one. After a quarter of a second, or a sixteenth of that time, it queries PostgreSQL over a separate connection
 * for sessions that wait for their client in turn. A connection on which both ends wait is closed at once, so that the
 * service uses the network as soon as it works again.
 */
export function watchConnections(url: string, timeout: number): Watch {
  const waiting = new Map<pg.ClientBase, number>();
  const suspicious = Math.min(timeout / 16, 250);
  const interval = suspicious / 5;
  const olderThan = (age: number): [pg.ClientBase, number][] =>
    [...waiting].filter(([, since]) => performance.now() - since > age);

  const closeDead = async (): Promise<void> => {
    const started = performance.now();
    const suspects = olderThan(suspicious);
    const dead = new Set(
      await askForDead(
        url,
        suspects.map(([client]) => processId(client)),
        suspicious,
      ),
    );
    await setTimeout(interval); // what arrived meanwhile is read first
    for (const [client, since] of suspects) {
      const id = processId(client);
      const isDead = id === 0 ? since < started - suspicious : dead.has(id);
      if (isDead && waiting.get(client) === since)
        hangUp(client, new ConnectionForgotten('The connection was silent.'));
    }
  };

  let asking: Promise<void> | undefined;
  let previous = performance.now();
  const timer = setInterval(() => {
    // When this process itself was busy for long, responses may be there that it has not read yet.
    const isLate = performance.now() - previous > 5 * interval;
    previous = performance.now();
    if (isLate) return;
    for (const [client] of olderThan(timeout))
      hangUp(client, new ConnectionLost('PostgreSQL did not respond in time.'));
    if (asking || olderThan(suspicious).length === 0) return;
    asking = closeDead()
      .catch(() => {}) // it cannot be reached at all: every caller waits until its time is over
      .finally(() => {
        asking = undefined;
      });
  }, interval).unref();

  return {
    begin: (client) => void waiting.set(client, performance.now()),
    end: (client) => void waiting.delete(client),
    close: () => clearInterval(timer),
  };
}

/** 0 for a client that is not connected yet. */
const processId = (client: pg.ClientBase): number => (client as { processID?: number | null }).processID ?? 0;

/** Closes a client's connection, also one that nothing comes back from; what waits for it is rejected. */
export function hangUp(client: pg.ClientBase, reason: ConnectionLost): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy(reason);
}

/** @throws when PostgreSQL cannot be reached within `timeout` milliseconds */
async function askForDead(url: string, pids: number[], timeout: number): Promise<number[]> {
  const limits = { connectionTimeoutMillis: timeout, query_timeout: timeout };
  const pool = new pg.Pool({ connectionString: url, max: 1, ...limits });
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await endForgotten(db, pids, timeout);
  } finally {
    db.destroy().catch(() => {});
  }
}

/**
 * Ends the sessions that wait for their client, although it waits for them: a query or its response was lost.
 * @param silence for how many milliseconds they must have waited
 * @returns their process ids
 */
export async function endForgotten(db: Kysely<Tables>, pids: number[], silence: number): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid, pg_terminate_backend(pid) from pg_stat_activity
    where pid = any(${pids}::int[]) and state <> 'active' and state_change < clock_timestamp() - ${silence} * interval '1 ms'
  `.execute(db);
  return rows.map(({ pid }) => pid);
}
