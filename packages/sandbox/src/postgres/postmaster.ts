import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sendSignal } from '../processes/kill.ts';
import { readProcess } from '../processes/process-tree.ts';
import { type Condition, waitUntil } from '../processes/wait-until.ts';

type Signal = 'SIGINT' | 'SIGQUIT';

/** Reads postmaster.pid, as pg_ctl does; undefined without that file. */
export async function readPostmaster(cluster: string): Promise<{ pid: number; ready: boolean } | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined);
  const lines = text?.split('\n');
  return lines && { pid: Number(lines[0]), ready: lines[7]?.trim() === 'ready' };
}

/** Stops a PostgreSQL that a killed process left running on the cluster, and removes a stale postmaster.pid. */
export async function stopOrphan(cluster: string): Promise<void> {
  const orphan = await readPostmaster(cluster);
  if (!orphan) return;
  if (await serves(orphan.pid, cluster))
    await shutDown(
      (signal) => sendSignal(orphan.pid, signal),
      async () => !(await serves(orphan.pid, cluster)),
    );
  // PostgreSQL refuses to start when another process has this pid by now.
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/**
 * Shuts PostgreSQL down without waiting for its clients; after 10 s also without a checkpoint.
 * @throws when it still runs 30 s later
 */
export async function shutDown(send: (signal: Signal) => void, hasEnded: Condition): Promise<void> {
  if (await hasEnded()) return;
  send('SIGINT');
  if (await waitUntil(hasEnded, 10_000)) return;
  send('SIGQUIT');
  if (!(await waitUntil(hasEnded, 30_000))) throw new Error('PostgreSQL did not stop');
}

/** Compares the command line, because another process may have the pid by now. */
async function serves(pid: number, cluster: string): Promise<boolean> {
  return (await readProcess(pid))?.command.includes(`postgres -D ${cluster} -c `) ?? false;
}
