import { hostname } from 'node:os';
import { type Kysely, sql } from 'kysely';
import { callFunction } from './call-function.ts';
import type { Tables } from './tables.ts';

/** The advisory lock of migrations. Kysely's Migrator, which earlier releases used, takes the same. */
const key = 3853314791062309107n;

/** How long a lock is held: until the end of the transaction, or of the session. */
type Scope = 'transaction' | 'session';

/**
 * Takes the migration lock, and names this process in `application_name` for others that want it. It does not wait: a
 * waiting statement would hold a snapshot, for which `create index concurrently` waits in turn.
 * @returns false when another process has the lock
 */
export async function tryMigrationLock(db: Kysely<Tables>, scope: Scope): Promise<boolean> {
  const name = `waybill migrate, process ${process.pid} on ${hostname()}`;
  await callFunction(db, 'set_config', 'application_name', name, scope === 'transaction');
  return callFunction(db, scope === 'session' ? 'pg_try_advisory_lock' : 'pg_try_advisory_xact_lock', key);
}

/** Releases the lock of a session. */
export async function releaseMigrationLock(db: Kysely<Tables>): Promise<void> {
  await callFunction(db, 'pg_advisory_unlock', key);
}

/** Describes the process that has the migration lock; undefined when none has it. */
export async function migrationLockHolder(db: Kysely<Tables>): Promise<string | undefined> {
  interface Holder {
    pid: number;
    name: string | null;
    address: string | null;
    since: Date | null;
  }
  const { rows } = await sql<Holder>`
    select pid, application_name as name, host(client_addr) as address, coalesce(xact_start, state_change) as since
    from pg_locks left join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and (classid::bigint << 32) | objid::bigint = ${key}::bigint
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  const [holder] = rows;
  if (!holder) return undefined;
  const { pid, name, address, since } = holder;
  const details = [`PostgreSQL process ${pid}`, address && `from ${address}`, since && `since ${since.toISOString()}`];
  return `${name || 'an unnamed client'} (${details.filter(Boolean).join(', ')})`;
}
