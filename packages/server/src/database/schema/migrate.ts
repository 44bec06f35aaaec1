import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { recordAudit } from '../audit-log.ts';
import type { Database } from '../database.ts';
import { isLockTimeout } from '../errors.ts';
import { advisoryLocks, callFunction } from '../statements/expressions.ts';
import type { Tables } from '../tables.ts';
import type { Migration, Migrations } from './migration.ts';
import { type MigrationTable, ownMigrations, schemaLevel } from './schema-level.ts';

/** A migration cannot run, or PostgreSQL rejected it. */
export class MigrationError extends Error {}

export interface MigrateOptions {
  /** In the order in which they are applied. */
  migrations?: Migrations;
  /** Milliseconds to wait for another process that migrates this database. */
  wait?: number;
  /** Milliseconds that a statement waits for a lock. Requests queue behind it, so it is shorter than their timeout. */
  lockTimeout?: number;
  /** How often a migration is tried whose lock timed out. */
  attempts?: number;
  /** Milliseconds between two attempts. */
  pause?: number;
  /** Called before each further attempt. */
  onRetry?: () => void;
}

/** The defaults of these options. The guide on upgrades states them. */
export const defaultLimits = { wait: 60_000, lockTimeout: 2_000, attempts: 30, pause: 1_000 };

/** The list of migrations of versions before 1.0.0. */
const unreleasedTable = 'kysely_migration';

/** `locked`: another process migrates the database. `unchanged`: it has applied this migration. */
type MigrationResult = 'applied' | 'unchanged' | 'locked';

/**
 * Milliseconds that a statement outside a transaction waits. `create index concurrently` waits for all transactions that
 * began before it, and blocks no reads and writes meanwhile.
 */
const concurrentLockTimeout = 600_000;

/**
 * Applies all pending migrations, each in a transaction of its own, so that its locks are released soon. Statements may
 * take any time. Only one process at a time migrates a database. Does nothing to the schema of a later release.
 * @returns the names of the migrations that this process applied
 * @throws {MigrationError} naming the migration that failed, or the process that migrates the database
 */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<string[]> {
  const { migrations = ownMigrations } = options;
  if ((await callFunction(db, 'to_regclass', unreleasedTable)) !== null) {
    throw new MigrationError(
      'An unreleased version of Waybill made the tables of this database, which no release can migrate. Export what you need from it, and run `waybill migrate` with a new database.',
    );
  }
  const { pending, later } = await schemaLevel(db, migrations);
  if (pending.length > 0 && later.length > 0) {
    throw new MigrationError(
      `This release cannot apply ${pending.join(', ')}, because the database has ${later.join(', ')} of another release. Run \`waybill migrate\` of that release.`,
    );
  }
  const applied: string[] = [];
  // A new database has no other users: its indexes need no session of their own, which a connection pooler does not provide.
  const isNew = pending.length === Object.keys(migrations).length;
  for (const name of pending) {
    const found = migrations[name];
    const migration = isNew && found ? { up: found.up } : found;
    if (migration && (await applyWithRetries(db, name, migration, options))) applied.push(name);
  }
  return applied;
}

/** @returns whether this process applied the migration */
async function applyWithRetries(
  db: Database,
  name: string,
  migration: Migration,
  options: MigrateOptions,
): Promise<boolean> {
  const { wait, lockTimeout, attempts, pause, onRetry = () => {} } = { ...defaultLimits, ...options };
  if (migration.outsideTransaction && (await db.isPooled())) {
    throw new MigrationError(
      `The migration ${name} needs a session of its own, which a connection pooler such as PgBouncer does not provide. Run \`waybill migrate\` with a DATABASE_URL that names PostgreSQL itself.`,
    );
  }
  const started = performance.now();
  for (let timeouts = 0; ; onRetry()) {
    try {
      const result = await (migration.outsideTransaction
        ? applyOutsideTransaction(db, name, migration)
        : applyInTransaction(db, name, migration, lockTimeout));
      if (result !== 'locked') return result === 'applied';
    } catch (error) {
      timeouts++;
      if (migration.outsideTransaction || !isLockTimeout(error) || timeouts === attempts)
        throw migrationError(name, migration, error);
    }
    // Lock timeouts have a limit of their own.
    if (timeouts === 0 && performance.now() - started >= wait) throw await lockError(db, wait);
    await setTimeout(pause);
  }
}

const applyInTransaction = (
  db: Database,
  name: string,
  { up }: Migration,
  lockTimeout: number,
): Promise<MigrationResult> =>
  db.transaction().execute(async (trx) => {
    if (!(await tryMigrationLock(trx, 'transaction'))) return 'locked';
    if (await isApplied(trx, name)) return 'unchanged';
    await setTimeouts(trx, lockTimeout, 'transaction');
    await up(untyped(trx));
    await record(trx, name);
    return 'applied';
  });

const applyOutsideTransaction = (db: Database, name: string, { up }: Migration): Promise<MigrationResult> =>
  db.connection().execute(async (session) => {
    if (!(await tryMigrationLock(session, 'session'))) return 'locked';
    try {
      if (await isApplied(session, name)) return 'unchanged';
      await setTimeouts(session, concurrentLockTimeout, 'session');
      await up(untyped(session));
      await session.transaction().execute((trx) => record(trx, name));
      return 'applied';
    } finally {
      // Only a lost connection makes this fail, and it releases the lock, too.
      await releaseMigrationLock(session).catch(() => {});
      await sql`reset all`.execute(session).catch(() => {});
    }
  });

/** A migration must not use the types of the tables: they are those after the last migration. */
const untyped = (db: Kysely<Tables>): Kysely<unknown> => db as unknown as Kysely<unknown>;

async function isApplied(db: Kysely<Tables>, name: string): Promise<boolean> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', 'timestamptz', (column) => column.notNull())
    .execute();
  const found = await db.withTables<MigrationTable>().selectFrom('migrations').where('name', '=', name).execute();
  return found.length > 0;
}

async function record(trx: Transaction<Tables>, name: string): Promise<void> {
  await trx.withTables<MigrationTable>().insertInto('migrations').values({ name, applied_at: new Date() }).execute();
  await recordAudit(trx, { action: 'migrate', details: { migration: name } });
}

/** Overrides the timeouts of the database role. PostgreSQL has `transaction_timeout` since version 17. */
async function setTimeouts(db: Kysely<Tables>, lockTimeout: number, scope: 'transaction' | 'session'): Promise<void> {
  await sql`
    select set_config(name, case name when 'lock_timeout' then ${`${lockTimeout}ms`} else '0' end, ${sql.lit(scope === 'transaction')})
    from pg_settings
    where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')
  `.execute(db);
}

function migrationError(name: string, { outsideTransaction }: Migration, cause: unknown): MigrationError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const state = outsideTransaction ? 'and may be partly applied; `waybill migrate` repeats it' : 'and was rolled back';
  return new MigrationError(`The migration ${name} failed ${state}: ${reason}.`, { cause });
}

async function lockError(db: Database, wait: number): Promise<MigrationError> {
  const holder = await migrationLockHolder(db);
  const reason = holder ? `${holder} has the lock of migrations` : 'others had the lock of migrations';
  return new MigrationError(
    `Another process migrates this database: after ${wait / 1000} s, ${reason}. Run \`waybill migrate\` again when it has ended.`,
  );
}

/** How long a lock is held: until the end of the transaction, or of the session. */
type Scope = 'transaction' | 'session';

/**
 * Takes the migration lock, and names this process in `application_name` for others that want it. It does not wait: a
 * waiting statement would hold a snapshot, for which `create index concurrently` waits in turn.
 * @returns false when another process has the lock
 */
async function tryMigrationLock(db: Kysely<Tables>, scope: Scope): Promise<boolean> {
  const name = `waybill migrate, process ${process.pid} on ${hostname()}`;
  await callFunction(db, 'set_config', 'application_name', name, scope === 'transaction');
  return callFunction(
    db,
    scope === 'session' ? 'pg_try_advisory_lock' : 'pg_try_advisory_xact_lock',
    advisoryLocks.migrations,
  );
}

/** Releases the lock of a session. */
async function releaseMigrationLock(db: Kysely<Tables>): Promise<void> {
  await callFunction(db, 'pg_advisory_unlock', advisoryLocks.migrations);
}

/** Describes the process that has the migration lock; undefined when none has it. */
async function migrationLockHolder(db: Kysely<Tables>): Promise<string | undefined> {
  interface Holder {
    pid: number;
    name: string | null;
    address: string | null;
    since: Date | null;
  }
  const { rows } = await sql<Holder>`
    select pid, application_name as name, host(client_addr) as address, coalesce(xact_start, state_change) as since
    from pg_locks left join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and (classid::bigint << 32) | objid::bigint = ${advisoryLocks.migrations}::bigint
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  const [holder] = rows;
  if (!holder) return undefined;
  const { pid, name, address, since } = holder;
  const details = [`PostgreSQL process ${pid}`, address && `from ${address}`, since && `since ${since.toISOString()}`];
  return `${name || 'an unnamed client'} (${details.filter(Boolean).join(', ')})`;
}
