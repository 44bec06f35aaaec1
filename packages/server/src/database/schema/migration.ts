import { type Kysely, type RawBuilder, sql } from 'kysely';

/** A change of the schema. README.md of migrations/ has the rules that let the previous release run meanwhile. */
export interface Migration {
  up(db: Kysely<unknown>): Promise<void>;
  /**
   * Set by a migration with statements that PostgreSQL runs only outside a transaction, such as `create index
   * concurrently`. It must succeed when it is repeated after a failure.
   */
  outsideTransaction?: true;
}

export type Migrations = Record<string, Migration>;

/**
 * Creates an index while the table is written to, except of a new database. For migrations with `outsideTransaction`: it can be repeated. A failed
 * attempt leaves an invalid index, which the next one drops first.
 * @param definition such as `on shipments (account_id, type)`; PostgreSQL refuses partitioned tables
 */
export async function createIndexConcurrently(
  db: Kysely<unknown>,
  name: string,
  definition: RawBuilder<unknown>,
  { unique = false }: { unique?: boolean } = {},
): Promise<void> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name}::text)`.execute(db);
  if (rows[0]?.valid) return;
  if (rows[0]) await sql`drop index concurrently ${sql.id(name)}`.execute(db);
  const kind = sql.raw(`${unique ? 'unique ' : ''}index${db.isTransaction ? '' : ' concurrently'}`);
  await sql`create ${kind} ${sql.id(name)} ${definition}`.execute(db);
}
