import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { migrations } from '../../generated/migrations.ts';
import type { Database } from './connect.ts';
import { isLockTimeout, isMissingTable } from './errors.ts';

/** PostgreSQL rejected a migration. The whole run is rolled back. */
export class MigrationError extends Error {}

interface Options {
  /** Milliseconds that a statement waits for a lock. Requests queue behind it, so it is shorter than their timeout. */
  lockTimeout?: number;
  /** How often a migration is tried whose lock timed out. */
  attempts?: number;
  /** Milliseconds between two attempts. */
  pause?: number;
  onRetry?: () => void;
}

/**
 * Applies all pending migrations under a lock. Statements may take any time.
 * @returns the names of the migrations that were applied
 * @throws {MigrationError} naming the migration that failed
 */
export async function migrate(db: Database, options: Options = {}): Promise<string[]> {
  const { lockTimeout = 2_000, attempts = 30, pause = 1_000, onRetry = () => {} } = options;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => withTimeouts(lockTimeout) } });
  for (let attempt = 1; ; attempt++) {
    const { error, results = [] } = await migrator.migrateToLatest();
    if (!error) return results.map(({ migrationName }) => migrationName);
    if (!isLockTimeout(error) || attempt === attempts) {
      const failed = results.find(({ status }) => status === 'Error');
      throw failed ? migrationError(failed.migrationName, error) : error;
    }
    onRetry();
    await setTimeout(pause);
  }
}

/** Overrides the timeouts of the database role in every migration. */
const withTimeouts = (lockTimeout: number): Record<string, Migration> =>
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

function migrationError(name: string, cause: unknown): MigrationError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new MigrationError(`The migration ${name} failed, and nothing was changed: ${reason}.`, { cause });
}

/** Returns the names of the migrations that the database lacks. One cheap query: Kysely's own check reads the catalogue. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const applied = await appliedMigrations(db);
  return Object.keys(migrations).filter((name) => !applied.includes(name));
}

async function appliedMigrations(db: Database): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}
