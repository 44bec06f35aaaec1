import type { Kysely } from 'kysely';
import { migrations as ownMigrations } from '../../generated/migrations.ts';
import { isMissingTable } from './errors.ts';
import type { Migrations } from './migration.ts';
import type { Tables } from './tables.ts';

export { ownMigrations };

/** The table that Kysely's Migrator made in earlier releases. */
export type MigrationTable = { kysely_migration: { name: string; timestamp: string } };

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
    const applied = db.withTables<MigrationTable>().selectFrom('kysely_migration').select('name').orderBy('name');
    return (await applied.execute()).map(({ name }) => name);
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}
