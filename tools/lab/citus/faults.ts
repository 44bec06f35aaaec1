import { query } from '@waybill/sandbox/postgres/client';
import type { Environment } from '../chaos/environment.ts';
import { type Fault, faults } from '../chaos/faults.ts';
import type { RestartablePostgres } from '../cluster/restartable-postgres.ts';
import { type CitusNode, citusNodes, urlOnNode } from './create-database.ts';

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
  const list = nodes.map((node, index): Record<string, Fault> => {
    const { groupid, nodeport } = node;
    const name = groupid === 0 ? 'coordinator' : `worker-${groupid}`;
    const affects: Fault['affects'] = groupid === 0 || groupid === group ? ['database'] : [];
    const postgres = started[index];
    return {
      [`${name}-sessions`]: {
        text: `all sessions of ${name} are ended`,
        affects,
        duration: [0, 0],
        begin: async () => {
          await query(urlOnNode(databaseUrl, node), endSessions);
          return () => {};
        },
      },
      ...(groupid > 0 && {
        [`${name}-unreachable`]: {
          text: `the coordinator cannot connect to ${name}`,
          affects,
          begin: async () => {
            await setPort(databaseUrl, groupid, 1); // nothing listens there
            return () => setPort(databaseUrl, groupid, nodeport);
          },
        },
      }),
      ...(postgres && {
        [`${name}-killed`]: {
          text: `the postmaster of ${name} is killed (SIGKILL) and started again`,
          affects,
          duration: atOnce,
          begin: async () => {
            await postgres.end('SIGKILL');
            return postgres.start;
          },
        },
      }),
    };
  });
  const { 'server-killed': serverKilled } = faults;
  return { ...(serverKilled && { 'server-killed': serverKilled }), ...Object.assign({}, ...list) };
}

const endSessions = `select pg_terminate_backend(pid::integer) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/** The group of the worker that stores an account. */
async function groupOf(url: string, accountId: string): Promise<CitusNode['groupid']> {
  const [row] = await query(
    url,
    `select groupid from pg_dist_placement
     where shardid = get_shard_id_for_distribution_column('shipments', '${accountId}'::uuid)`,
  );
  return Number(row?.groupid);
}

const setPort = (url: string, groupid: number, port: number) =>
  query(url, `update pg_dist_node set nodeport = ${port} where groupid = ${groupid}`);
