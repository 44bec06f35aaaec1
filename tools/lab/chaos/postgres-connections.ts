import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

/** Milliseconds between two rounds of attempts to connect. */
const interval = 20;
/** Attempts to connect in a round. */
const attempts = 10;

/**
 * Takes all connections of PostgreSQL, as a superuser also the reserved ones, and terminates the sessions of others to
 * take theirs.
 * @returns a function that closes the connections
 */
export async function exhaustConnections(url: string): Promise<() => Promise<void>> {
  const clients = new Set<pg.Client>();
  const open = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: url, application_name: 'exhaust' });
    client.on('error', () => clients.delete(client));
    try {
      await client.connect();
    } catch {
      return false; // too many connections
    }
    clients.add(client);
    return true;
  };
  const openAll = async (): Promise<void> => {
    for (let opened = true; opened; ) {
      opened = (await Promise.all(Array.from({ length: attempts }, open))).includes(true);
    }
  };
  await openAll();
  let isOver = false;
  const loop = (async () => {
    for (; !isOver; await setTimeout(interval)) {
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
