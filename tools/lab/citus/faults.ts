import { query } from '@waybill/sandbox/postgres/client';
import type { Environment } from '../chaos/environment.ts';
import { atOnce, type Fault, faults, usual } from '../chaos/faults.ts';
import type { RestartablePostgres } from '../cluster/restartable-postgres.ts';
import { type CitusNode, citusNodes, urlOnNode } from './create-database.ts';

/**
 * What can be broken in a Citus: sessions, and the address of a worker. If this process has started its nodes, they are
 * killed, too. A worker without the account affects no request.
 * @param started the nodes of `citusNodes`, in their order, or none
 */
export async function citusFaults(
  { databaseUrl, accountId }: Pick<Environment, 'databaseUrl' | 'accountId'>,
  started: RestartablePostgres[],
): Promise<Record<string, Fault>> {
  const group = await groupOf(databaseUrl, accountId);
  const found: Record<string, Fault> = { 'server-killed': faults['server-killed'] as Fault };
  for (const [index, node] of (await citusNodes(databaseUrl)).entries()) {
    const { groupid, nodeport } = node;
    const name = groupid === 0 ? 'coordinator' : `worker-${groupid}`;
    const affects: Fault['affects'] = groupid === 0 || groupid === group ? ['database'] : [];
    const add = (what: string, begin: Fault['begin'], duration: Fault['duration']): void => {
      found[`${name}-${what}`] = { text: `${name}: ${what}`, affects, duration, needs: [], begin };
    };
    add('sessions', async () => query(urlOnNode(databaseUrl, node), endSessions).then(() => () => {}), [0, 0]);
    const unreachable = async () => {
      await setPort(databaseUrl, groupid, 1); // nothing listens there
      return () => setPort(databaseUrl, groupid, nodeport);
    };
    if (groupid > 0) add('unreachable', unreachable, usual);
    const postgres = started[index];
    if (postgres) add('killed', () => postgres.end('SIGKILL').then(() => postgres.start), atOnce);
  }
  return found;
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
