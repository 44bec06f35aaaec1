import pg from 'pg';

/** Connects to a database while `work` runs. */
export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Executes a statement on a connection of its own. @returns its rows */
export const query = (url: string, text: string, values?: unknown[]): Promise<pg.QueryResultRow[]> =>
  withClient(url, async (client) => (await client.query(text, values)).rows);

/** The URL of a database on the server of another one, or of the same one on another server. */
export const urlWith = (url: string, change: Partial<Pick<URL, 'hostname' | 'port' | 'pathname'>>): string =>
  Object.assign(new URL(url), change).href;
