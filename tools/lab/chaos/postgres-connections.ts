import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

/**
 * Takes all connections of PostgreSQL, as a superuser also the reserved ones, and terminates the sessions of others to
 * take theirs.
 * @returns a function that closes the connections
 */
export async function exhaustConnections(url: string): Promise<() => Promise<void>> {
  const clients = new Set<pg.Client>();
  const openAll = async (): Promise<void> => {
    for (;;) {
      const client = new pg.Client({ connectionString: url, application_name: 'exhaust' });
      client.on('error', () => clients.delete(client));
      const isOpen = await client.connect().then(
        () => clients.add(client),
        () => undefined, // too many connections
      );
      if (!isOpen) return;
    }
  };
  await openAll();
  let isOver = false;
  const loop = (async () => {
    for (; !isOver; await setTimeout(20)) {
      const [first] = clients;
      await first?.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where backend_type = 'client backend' and application_name <> 'exhaust'`);
      await openAll();
    }
  })();
  return async () => {
    isOver = true;
    await loop;
    await Promise.all([...clients].map((client) => client.end()));
  };
}
