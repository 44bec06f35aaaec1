import pg from 'pg';
import type { Environment } from '../chaos/environment.ts';
import { type Fault, faults } from '../chaos/faults.ts';
import { type CitusNode, citusNodes, urlOnNode } from '../postgres/create-database.ts';
import type { RestartablePostgres } from '../postgres/restartable.ts';

/** A process that is killed is started again at once. */
const atOnce = [0, 500] as const;

/**
 * What can be broken in a Citus: sessions, and the address of a worker. If this process has started its nodes, they are
 * killed, too. A worker without the account affects no request.
 * @param started the nodes of `citusNodes`, in their order, or none
 */
export async function citusFaults(
  { databaseUrl, accountId }: Pick<Environment, 'databaseUrl' | 'accountId'>,
  started: RestartablePostgres[],
): Promise<Record<string, Fault>> {
  const nodes = await citusNodes(databaseUrl);
  const group = await groupOf(databaseUrl, accountId);
  const list = nodes.flatMap((node, index) => {
    const { groupid, nodeport } = node;
    const name = groupid === 0 ? 'coordinator' : `worker-${groupid}`;
    const affects: Fault['affects'] = groupid === 0 || groupid === group ? ['database'] : [];
    const of: [string, Fault][] = [
      [
        `${name}-sessions`,
        {
          text: `all sessions of ${name} are ended`,
          affects,
          duration: [0, 0],
          begin: async () => {
            await execute(urlOnNode(databaseUrl, node), endSessions);
            return () => {};
          },
        },
      ],
    ];
    if (groupid > 0) {
      of.push([
        `${name}-unreachable`,
        {
          text: `the coordinator cannot connect to ${name}`,
          affects,
          begin: async () => {
            await setPort(databaseUrl, groupid, 1); // nothing listens there
            return () => setPort(databaseUrl, groupid, nodeport);
          },
        },
      ]);
    }
    const postgres = started[index];
    if (postgres) {
      of.push([
        `${name}-killed`,
        {
          text: `the postmaster of ${name} is killed (SIGKILL) and started again`,
          affects,
          duration: atOnce,
          begin: async () => {
            await postgres.end('SIGKILL');
            return postgres.start;
          },
        },
      ]);
    }
    return of;
  });
  const { 'server-killed': serverKilled } = faults;
  return { ...(serverKilled && { 'server-killed': serverKilled }), ...Object.fromEntries(list) };
}

const endSessions = `select pg_terminate_backend(pid::integer) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/** The group of the worker that stores an account. */
async function groupOf(url: string, accountId: string): Promise<CitusNode['groupid']> {
  const [row] = await execute(
    url,
    `select groupid from pg_dist_placement
     where shardid = get_shard_id_for_distribution_column('shipments', '${accountId}'::uuid)`,
  );
  return Number(row?.groupid);
}

const setPort = (url: string, groupid: number, port: number) =>
  execute(url, `update pg_dist_node set nodeport = ${port} where groupid = ${groupid}`);

async function execute(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
