import { type Kysely, sql } from 'kysely';
import { recordAudit } from '../audit-log.ts';
import type { Database } from '../database.ts';
import { advisoryLocks, callFunction } from '../statements/expressions.ts';
import type { Tables } from '../tables.ts';
import { schemaLevel } from './schema-level.ts';

/** The tables cannot be distributed. The message says what is missing. */
export class DistributionError extends Error {}

/**
 * Where Citus stores each table: `reference` on every node, `local` on the coordinator, `distributed` by account. A table
 * comes after those that its foreign keys name.
 */
export type Placements = Record<string, { citus: 'reference' | 'local' | 'distributed' }>;

/**
 * Distributes the tables over the nodes of Citus, in one transaction. Tables that are distributed already are left out.
 * @returns the names of the tables that it distributed
 * @throws {DistributionError} when the database is not prepared for it; then nothing is changed
 */
export async function distribute(db: Database, placements: Placements): Promise<string[]> {
  if (!(await db.isCitus())) {
    throw new DistributionError(
      'The database lacks the extension Citus. Run `create extension citus` and add the workers, or use the database without `waybill distribute`.',
    );
  }
  // Keys are local, and every request reads the account of its key: it must not wait for a worker.
  const nodes = db.withTables<{ pg_dist_node: { groupid: number } }>().selectFrom('pg_dist_node');
  if (!(await nodes.select('groupid').where('groupid', '=', 0).executeTakeFirst())) {
    throw new DistributionError(
      "The coordinator is not a node of its own. Run `select citus_set_coordinator_host('…')` with its host name first.",
    );
  }
  const { pending } = await schemaLevel(db);
  if (pending.length > 0) {
    throw new DistributionError(`Migrations are missing: ${pending.join(', ')}. Run \`waybill migrate\` first.`);
  }
  return db.transaction().execute(async (trx) => {
    await callFunction(trx, 'pg_advisory_xact_lock', advisoryLocks.distribution);
    // Else Citus would manage the tables that reference a table before they are distributed themselves.
    await sql`set local citus.enable_local_reference_table_foreign_keys to off`.execute(trx);
    const missing = await toDistribute(trx, placements);
    if (missing.some(({ table }) => table === 'accounts')) {
      // Its check locks the account on every node, which deadlocks with other new keys. An account is deleted after its keys.
      await trx.schema.alterTable('api_keys').dropConstraint('api_keys_account_id_fkey').ifExists().execute();
    }
    // All others are colocated with this one: the rows of an account are on one node.
    const [first] = Object.keys(placements).filter((table) => placements[table]?.citus === 'distributed');
    for (const { table, citus } of missing) {
      if (citus === 'reference') await callFunction(trx, 'create_reference_table', table);
      else await distributeTable(trx, table, table === first ? 'none' : String(first));
    }
    const tables = missing.map(({ table }) => table);
    if (tables.length > 0) await recordAudit(trx, { action: 'distribute', details: { tables } });
    return tables;
  });
}

/** Distributes a table by account. @param colocateWith a distributed table, or `none` */
export async function distributeTable(db: Kysely<Tables>, table: string, colocateWith: string): Promise<void> {
  await callFunction(db, 'create_distributed_table', table, 'account_id', 'hash', colocateWith);
}

/** The tables that `distribute` would distribute; none without Citus. The migrations must have run. */
export async function undistributedTables(db: Database, placements: Placements): Promise<string[]> {
  return (await db.isCitus()) ? (await toDistribute(db, placements)).map(({ table }) => table) : [];
}

/** The tables that are not yet where Citus stores them. */
async function toDistribute(db: Kysely<Tables>, placements: Placements) {
  const rows = await db
    .withTables<{ pg_dist_partition: { logicalrelid: string } }>()
    .selectFrom('pg_dist_partition')
    .select((eb) => eb.cast<string>('logicalrelid', 'text').as('name'))
    .execute();
  const done = new Set(rows.map(({ name }) => name));
  return Object.entries(placements).flatMap(([table, { citus }]) =>
    citus === 'local' || done.has(table) ? [] : { table, citus },
  );
}
