import pg from 'pg';
import { ConnectionLost } from './errors.ts';
import { destroyConnection } from './watch.ts';

/** Milliseconds between two attempts to connect. */
const retryInterval = 1000;

/**
 * Listens for notifications of a channel on a connection of its own, until it is closed. A lost connection is made again;
 * notifications that are sent meanwhile are lost. Through PgBouncer none arrives.
 * @param onNotification gets the payload
 */
export function listen(url: string, channel: string, onNotification: (payload: string) => void): { close(): void } {
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  const connect = async (): Promise<void> => {
    const connecting = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: retryInterval * 5,
    });
    client = connecting;
    connecting.on('error', () => {}); // it also ends, and `end` makes the next attempt
    connecting.on('notification', ({ payload = '' }) => onNotification(payload));
    const lost = new Promise<void>((resolve) => connecting.once('end', resolve));
    try {
      await connecting.connect();
      await connecting.query(`listen ${channel}`);
      await lost;
    } catch {
      await connecting.end().catch(() => {});
    }
    if (!isClosed) retry = setTimeout(connect, retryInterval);
  };
  void connect();
  return {
    close() {
      isClosed = true;
      clearTimeout(retry);
      // Not `end`, which waits for ever for a PostgreSQL that does not respond.
      if (client) destroyConnection(client, new ConnectionLost('The service stops.'));
    },
  };
}
