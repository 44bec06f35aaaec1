import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { addNodes } from '../postgres/create-database.ts';
import { killPostgres } from '../postgres/kill.ts';
import { startPostgres } from '../postgres/postgres.ts';
import { writePrivateFile } from '../start/private-files.ts';

/** A server of Citus that this process has started. */
export interface StartedNode {
  name: string;
  /** `kill -9`; resolves when its processes have ended. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
}

const names = ['coordinator', 'first worker', 'second worker'];

/**
 * Starts a Citus of a coordinator and two workers on 127.0.0.1.
 * @param bin the folder with the programs of a PostgreSQL that has Citus
 * @returns the URL of a superuser on the coordinator, and the nodes, the coordinator first
 */
export async function startNodes(bin: string) {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'waybill-citus-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  // With it the nodes connect to each other.
  process.env.PGPASSFILE = join(folder, 'passwords');
  const settings = { shared_preload_libraries: 'citus', wal_level: 'logical', max_connections: '300' };
  const start = async (name: string) => {
    const options = { dataDir: join(folder, name.replace(' ', '-')), bin, settings };
    let postgres = await startPostgres(options);
    stack.defer(() => postgres.stop());
    const { url } = postgres;
    const restart = async (): Promise<void> => {
      postgres = await startPostgres({ ...options, port: Number(new URL(url).port) });
    };
    return { name, url, kill: () => killPostgres(postgres), restart };
  };
  const nodes = await Promise.all(names.map(start));
  const url = nodes[0]?.url ?? '';
  const { password } = new URL(url);
  await writePrivateFile(process.env.PGPASSFILE, `*:*:*:waybill:${password}\n`);
  for (const node of nodes) {
    const client = new pg.Client(node.url);
    await client.connect();
    // One password for all, because the tests connect to each node as to the coordinator.
    await client.query(`alter role waybill password '${password}'; create extension citus`);
    await client.end();
  }
  const addressOf = ({ url }: { url: string }, groupid: number) => {
    const { hostname: nodename, port } = new URL(url);
    return { groupid, nodename, nodeport: Number(port) };
  };
  await addNodes(url, nodes.map(addressOf));
  const resources = stack.move();
  return { url, nodes: nodes as StartedNode[], [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
