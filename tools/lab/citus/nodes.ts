import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePrivateFile } from '@waybill/sandbox/demo/private-files';
import { query } from '@waybill/sandbox/postgres/client';
import { type RestartablePostgres, startRestartablePostgres } from '../cluster/restartable-postgres.ts';
import { addNodes } from './create-database.ts';

const names = ['coordinator', 'worker-1', 'worker-2'];

/**
 * Starts a Citus of a coordinator and two workers on 127.0.0.1.
 * @param bin the folder with the programs of a PostgreSQL that has Citus
 * @param fail called when a node ends unexpectedly
 * @returns the URL of a superuser on the coordinator, and the nodes, the coordinator first
 */
export async function startNodes(bin: string, fail: (error: unknown) => void) {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(await mkdtempDisposable(join(tmpdir(), 'waybill-citus-')));
  // With it the nodes connect to each other.
  process.env.PGPASSFILE = join(folder, 'passwords');
  const settings = { shared_preload_libraries: 'citus', wal_level: 'logical', max_connections: '300' };
  const nodes: RestartablePostgres[] = [];
  for (const name of names) {
    nodes.push(stack.use(await startRestartablePostgres({ dataDir: join(folder, name), bin, settings }, fail)));
  }
  const url = nodes[0]?.url ?? '';
  const { password } = new URL(url);
  await writePrivateFile(process.env.PGPASSFILE, `*:*:*:waybill:${password}\n`);
  for (const node of nodes) {
    // One password for all, because the tests connect to each node as to the coordinator.
    await query(node.url, `alter role waybill password '${password}'; create extension citus`);
  }
  const addresses = nodes.map((node, groupid) => {
    const { hostname: nodename, port } = new URL(node.url);
    return { groupid, nodename, nodeport: Number(port) };
  });
  await addNodes(url, addresses);
  const resources = stack.move();
  return { url, nodes, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
