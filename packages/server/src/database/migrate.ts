import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Database } from './connect.ts';
import * as first from './migrations/0001-first.ts';
import * as complete from './migrations/0002-complete.ts';
import * as positionDays from './migrations/0003-position-days.ts';
import * as storedBytes from './migrations/0004-stored-bytes.ts';

/** In order; a list instead of a folder, so that a bundle holds them all. */
const migrations: Record<string, Migration> = {
  '0001-first': first,
  '0002-complete': complete,
  '0003-position-days': positionDays,
  '0004-stored-bytes': storedBytes,
};

/** A migration that PostgreSQL has refused. Nothing of it was kept, nor of the others of that run. */
export class MigrationError extends Error {}

interface Options {
  /** Milliseconds that a step waits for a lock. Requests queue behind it, so it is less than they wait. */
  lockTimeout?: number;
  /** How often a migration that had to wait too long for a lock is tried, and the milliseconds in between. */
  attempts?: number;
  pause?: number;
  onRetry?: () => void;
}

/**
 * Brings the database to the newest migration, under a lock, and names those that were applied now. A step may take as
 * long as it needs.
 * @throws {MigrationError} naming the migration that failed
 */
export async function migrate(db: Database, options: Options = {}): Promise<string[]> {
  const { lockTimeout = 2_000, attempts = 30, pause = 1_000, onRetry = () => {} } = options;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => unhurried(lockTimeout) } });
  for (let attempt = 1; ; attempt++) {
    const { error, results = [] } = await migrator.migrateToLatest();
    if (!error) return results.map(({ migrationName }) => migrationName);
    const isLocked = error instanceof Error && 'code' in error && error.code === '55P03';
    if (!isLocked || attempt === attempts) {
      const failed = results.find(({ status }) => status === 'Error');
      throw failed ? failure(failed.migrationName, error) : error;
    }
    onRetry();
    await setTimeout(pause);
  }
}

/** Every migration under limits of its own, whatever limits the role or the database has. */
const unhurried = (lockTimeout: number): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [
      name,
      {
        async up(db) {
          await sql`select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true),
            set_config('lock_timeout', ${`${lockTimeout}ms`}, true)`.execute(db);
          await up(db);
        },
      },
    ]),
  );

function failure(name: string, cause: unknown): MigrationError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new MigrationError(`The migration ${name} failed, and nothing was changed: ${reason}.`, { cause });
}

/** The migrations that the database still lacks. One cheap query: Kysely's own look reads the whole catalogue. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const applied = await appliedMigrations(db);
  return Object.keys(migrations).filter((name) => !applied.includes(name));
}

async function appliedMigrations(db: Database): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '42P01') return []; // there is no such table yet
    throw error;
  }
}
