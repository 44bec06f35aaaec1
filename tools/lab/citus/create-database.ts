import { query, urlWith, withClient } from '@waybill/sandbox/postgres/client';

/** A node of Citus, as the coordinator and this process connect to it. */
export interface CitusNode {
  /** 0 for the coordinator. */
  groupid: number;
  nodename: string;
  nodeport: number;
}

/** The nodes of Citus that a database uses, the coordinator first; none without Citus. */
export async function citusNodes(url: string): Promise<CitusNode[]> {
  const [row] = await query(url, "select to_regclass('pg_dist_node') is not null as found");
  if (!row?.found) return [];
  return (await query(url, 'select groupid, nodename, nodeport from pg_dist_node order by groupid')) as CitusNode[];
}

/** The same database on a node of Citus. */
export const urlOnNode = (url: string, { nodename, nodeport }: CitusNode): string =>
  urlWith(url, { hostname: nodename, port: String(nodeport) });

interface TestDatabase {
  url: string;
  /** @param force closes connections that are left */
  drop(options: { force: boolean }): Promise<void>;
}

/**
 * Creates a database on the server of another one. If that has Citus, the new one has the same nodes.
 * @param template the URL of a database without connections that is copied; without it, the new one is empty
 */
export async function createDatabase(server: string, template?: string): Promise<TestDatabase> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const nodes = await citusNodes(server);
  if (nodes.length > 0) return createOnNodes(server, name, nodes);
  const copied = template === undefined ? '' : `template ${new URL(template).pathname.slice(1)}`;
  await query(server, `create database ${name} ${copied}`);
  return {
    url: urlWith(server, { pathname: name }),
    async drop({ force }) {
      await query(server, `drop database ${name} ${force ? 'with (force)' : ''}`);
    },
  };
}

/** The advisory lock of creations on Citus: any number that nothing else locks. */
const lockKey = 7_266_298;

async function createOnNodes(server: string, name: string, nodes: CitusNode[]): Promise<TestDatabase> {
  const url = urlWith(server, { pathname: name });
  const servers = nodes.map((node) => urlOnNode(server, node));
  /** Not on the other nodes. */
  const executeOn = (each: string, statement: string): Promise<void> =>
    withClient(each, async (client) => {
      await client.query('set citus.enable_create_database_propagation to off');
      await client.query(statement);
    });
  await withClient(server, async (client) => {
    // A new node gets all roles, which two sessions cannot change at once.
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    for (const each of servers) {
      await executeOn(each, `create database ${name}`);
      // A copy of template1 may have it already.
      await query(urlWith(each, { pathname: name }), 'create extension if not exists citus');
    }
    await addNodes(url, nodes);
  });
  // Few shards: the tests do not need more, and distributing is faster.
  await query(url, `alter database ${name} set citus.shard_count to 4`);
  return {
    url,
    async drop() {
      // The nodes keep connections to each other.
      for (const each of servers) await executeOn(each, `drop database ${name} with (force)`);
    },
  };
}

/** Makes the nodes known to a database on the coordinator. */
export const addNodes = (url: string, nodes: CitusNode[]): Promise<void> =>
  withClient(url, async (client) => {
    for (const { groupid, nodename, nodeport } of nodes) {
      const add = groupid === 0 ? 'citus_set_coordinator_host' : 'citus_add_node';
      await client.query(`select ${add}($1, $2)`, [nodename, nodeport]);
    }
  });
