import type { Database } from './database.ts';
import { processIdOf } from './watch.ts';

/**
 * Whether a connection pooler such as PgBouncer is between this process and PostgreSQL. A pooler makes up the process ids
 * that it gives to its clients.
 */
export async function isPooled(database: Database): Promise<boolean> {
  const client = await database.pool.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]?.pid !== processIdOf(client);
  } finally {
    client.release();
  }
}
