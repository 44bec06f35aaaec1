import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

type Signal = 'SIGINT' | 'SIGQUIT';
type Condition = () => boolean | Promise<boolean>;

/** What the PostgreSQL on a cluster says of itself in postmaster.pid, where pg_ctl reads it too; undefined without that file. */
export async function readPostmaster(cluster: string): Promise<{ pid: number; ready: boolean } | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined);
  const lines = text?.split('\n');
  return lines && { pid: Number(lines[0]), ready: lines[7]?.trim() === 'ready' };
}

/** Stops the PostgreSQL that an owner who was killed left on the cluster, and removes a stale postmaster.pid. */
export async function stopOrphan(cluster: string): Promise<void> {
  const orphan = await readPostmaster(cluster);
  if (!orphan) return;
  if (await serves(orphan.pid, cluster))
    await shutDown(
      (name) => signal(orphan.pid, name),
      async () => !(await serves(orphan.pid, cluster)),
    );
  // PostgreSQL would take a foreign process that has the number by now for itself, and refuse to start.
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/**
 * Shuts a PostgreSQL down without waiting for its clients and, when that takes more than 10 s, without a checkpoint.
 * @throws when it is not gone 30 s after that.
 */
export async function shutDown(send: (signal: Signal) => void, gone: Condition): Promise<void> {
  if (await gone()) return;
  send('SIGINT');
  if (await until(gone, 10_000)) return;
  send('SIGQUIT');
  if (!(await until(gone, 30_000))) throw new Error('PostgreSQL does not stop');
}

/** Polls until the condition holds; false when it does not within `patience` ms. */
export async function until(condition: Condition, patience: number): Promise<boolean> {
  for (const deadline = Date.now() + patience; Date.now() < deadline; await setTimeout(5))
    if (await condition()) return true;
  return false;
}

/** By its command line, as any process may have the number of one that is gone. */
async function serves(pid: number, cluster: string): Promise<boolean> {
  const command =
    process.platform === 'linux' // where ps is not always installed
      ? readFile(`/proc/${pid}/cmdline`, 'utf8').then((text) => text.replaceAll('\0', ' '))
      : promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', `${pid}`]).then(({ stdout }) => stdout);
  return (await command.catch(() => '')).includes(`postgres -D ${cluster} -c `);
}

function signal(pid: number, name: Signal) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
