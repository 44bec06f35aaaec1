import pg from 'pg';
import type { Outage } from '../chaos/outages.ts';
import { type CitusNode, citusNodes, urlOnNode } from '../postgres/create-database.ts';
import type { CitusEnvironment } from './environment.ts';
import type { StartedNode } from './nodes.ts';

const duration = [0, 500] as const;

/**
 * `kill -9` of the server, the end of all sessions of a node, and a worker that the coordinator cannot connect to.
 * @param started nodes to kill, too
 */
export async function citusOutages(environment: CitusEnvironment, started: StartedNode[]): Promise<Outage[]> {
  const { databaseUrl, killServer, startServer } = environment;
  const nodes = await citusNodes(databaseUrl);
  return [
    { name: 'server', duration, begin: killServer, end: startServer },
    ...nodes.map((node) => endOfSessions(databaseUrl, node)),
    ...nodes.filter(({ groupid }) => groupid > 0).map((worker) => wrongPort(databaseUrl, worker)),
    ...started.map(({ name, kill, restart }) => ({ name, duration, begin: kill, end: restart })),
  ];
}

const endOfSessions = (databaseUrl: string, node: CitusNode): Outage => ({
  name: `sessions of group ${node.groupid}`,
  duration: [0, 0],
  begin: () =>
    query(
      urlOnNode(databaseUrl, node),
      `select pg_terminate_backend(pid::integer) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    ),
  end: async () => {},
});

function wrongPort(databaseUrl: string, { groupid, nodeport }: CitusNode): Outage {
  const setPort = (port: number): Promise<void> =>
    query(databaseUrl, `update pg_dist_node set nodeport = ${port} where groupid = ${groupid}`);
  return {
    name: `port of group ${groupid}`,
    duration,
    begin: () => setPort(1), // nothing listens there
    end: () => setPort(nodeport),
  };
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
