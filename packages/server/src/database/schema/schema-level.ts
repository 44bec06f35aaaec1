import type { Kysely } from 'kysely';
import { migrations as ownMigrations } from '../../../generated/migrations.ts';
import { isMissingTable } from '../errors.ts';
import { callFunction } from '../statements/expressions.ts';
import type { Tables } from '../tables.ts';
import type { Migrations } from './migration.ts';

export { ownMigrations };

/** The list of the migrations that were applied. */
export type MigrationTable = { migrations: { name: string; applied_at: Date } };

/** The names of migrations. */
export interface SchemaLevel {
  /** Migrations that the database lacks: its schema is of an earlier release. */
  pending: string[];
  /** Migrations that this release does not have: the schema is of a later release. The service runs on it, too. */
  later: string[];
}

/** Compares the migrations of the database with those of this release, in one cheap query. */
export async function schemaLevel(db: Kysely<Tables>, migrations: Migrations = ownMigrations): Promise<SchemaLevel> {
  const applied = await appliedMigrations(db);
  const own = Object.keys(migrations);
  return {
    pending: own.filter((name) => !applied.includes(name)),
    later: applied.filter((name) => !own.includes(name)),
  };
}

async function appliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  try {
    const applied = db.withTables<MigrationTable>().selectFrom('migrations').select('name').orderBy('name');
    return (await applied.execute()).map(({ name }) => name);
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}

/** `status` is `ok`, or the reason why the service cannot work. */
export interface Readiness {
  status: string;
  /** Migrations that the database lacks. */
  pending?: string[];
}

/**
 * Makes the check whether the database can take writes: it is reachable, not read-only, and has all migrations. A replica
 * is not ready, although it responds, because most requests write. The check rejects when the database is unreachable.
 */
export function readinessCheck(db: Kysely<Tables>): () => Promise<Readiness> {
  let isMigrated = false;
  return async () => {
    const readOnly = await callFunction<string>(db, 'current_setting', 'transaction_read_only');
    if (readOnly === 'on') return { status: 'the database is read-only' };
    const pending = isMigrated ? [] : (await schemaLevel(db)).pending;
    isMigrated = pending.length === 0;
    return isMigrated ? { status: 'ok' } : { status: 'migrations are missing', pending };
  };
}
