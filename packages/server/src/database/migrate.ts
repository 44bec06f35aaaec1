import { type Migration, Migrator } from 'kysely/migration';
import type { Database } from './connect.ts';
import * as first from './migrations/0001-first.ts';
import * as complete from './migrations/0002-complete.ts';

/** In order; a list instead of a folder, so that a bundle holds them all. */
const migrations: Record<string, Migration> = {
  '0001-first': first,
  '0002-complete': complete,
};

const migrator = (db: Database): Migrator => new Migrator({ db, provider: { getMigrations: async () => migrations } });

/** Brings the database to the newest migration, under a lock, and names those that were applied now. */
export async function migrate(db: Database): Promise<string[]> {
  const { error, results = [] } = await migrator(db).migrateToLatest();
  if (error) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/** The migrations that the database still lacks. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const known = await migrator(db).getMigrations();
  return known.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
}
