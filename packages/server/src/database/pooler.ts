import { type Kysely, sql } from 'kysely';
import { poolOf } from './pool-status.ts';
import type { Tables } from './tables.ts';
import { processIdOf } from './watch.ts';

/**
 * Whether a connection pooler such as PgBouncer is between this process and PostgreSQL. A pooler makes up the process ids
 * that it gives to its clients.
 * @param db made by `connect`; not a transaction
 */
export async function isPooled(db: Kysely<Tables>): Promise<boolean> {
  const statement = sql`select pg_backend_pid() as pid`.compile(db);
  const client = await poolOf(db).connect();
  try {
    const { rows } = await client.query<{ pid: number }>(statement.sql);
    return rows[0]?.pid !== processIdOf(client);
  } finally {
    client.release();
  }
}
