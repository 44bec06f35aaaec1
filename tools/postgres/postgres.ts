import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { exitWithParent } from '../processes/exit-with-parent.ts';
import { freePort } from '../processes/free-port.ts';
import { clearAway, prepareCluster } from './cluster.ts';
import { lock } from './lock.ts';
import { readPostmaster, shutDown, stopOrphan, until } from './postmaster.ts';
import { findPrograms, type Programs } from './programs.ts';

/** A running PostgreSQL server of our own. */
export interface Postgres extends AsyncDisposable {
  /** postgres://waybill:<password>@127.0.0.1:<port>/waybill; the user is a superuser. */
  url: string;
  /** Resolves when the server has ended, by `stop` or by itself. */
  exited: Promise<void>;
  /** Ends the server without waiting for its clients, and resolves when it has ended. May be called again. */
  stop(): Promise<void>;
}

type Server = Omit<Postgres, 'url'>;

export interface PostgresOptions {
  /** Made when missing. Holds the cluster, its password (mode 600), postgres.log of the last start, and the lock. */
  dataDir: string;
  /** Server settings: `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
  /** A free one by default. */
  port?: number;
  /** Discards the data of earlier starts, under the same protection against a second owner. */
  fresh?: boolean;
}

/**
 * Starts PostgreSQL on 127.0.0.1, in some 50 ms, or a second when the data folder is new. A server that an owner who was
 * killed left on the folder is stopped first.
 * @throws when another process owns the folder, or PostgreSQL does not start within a minute; with the end of its log.
 */
export async function startPostgres({ dataDir, settings = {}, port, fresh }: PostgresOptions): Promise<Postgres> {
  await mkdir(dataDir, { recursive: true });
  const folder = await realpath(dataDir);
  const unlock = lock(folder);
  try {
    const cluster = join(folder, 'cluster');
    await stopOrphan(cluster);
    await clearAway(folder, fresh ? cluster : undefined);
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const programs = await findPrograms(folder, cluster);
    const password = await prepareCluster(folder, cluster, programs, flags);
    for (let attempt = 1; ; attempt++) {
      const chosen = port ?? (await freePort());
      try {
        const server = await launch(folder, cluster, programs, [...flags, '-c', `port=${chosen}`]);
        server.exited.then(unlock);
        return { url: `postgres://waybill:${password}@127.0.0.1:${chosen}/waybill`, ...server };
      } catch (error) {
        // Between choice and use another program may have taken the free port.
        if (port || attempt === 3 || !String(error).includes('could not bind')) throw error;
      }
    }
  } catch (error) {
    unlock();
    throw error;
  }
}

async function launch(folder: string, cluster: string, programs: Programs, flags: string[]): Promise<Server> {
  const logFile = join(folder, 'postgres.log');
  const args = ['-D', cluster, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', ...flags];
  const log = await open(logFile, 'w', 0o600);
  // In a process group of its own, so that Ctrl-C does not end it before its clients are done.
  const child = spawn(...programs.command('postgres', args), {
    ...programs.options,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    await once(child, 'spawn');
  } finally {
    await log.close();
  }
  exitWithParent(child, { signal: 'SIGINT' });

  const gone = () => child.exitCode !== null || child.signalCode !== null;
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= shutDown((signal) => child.kill(signal), gone).then(() => exited);
    return stopping;
  };
  const ready = async () => {
    const postmaster = await readPostmaster(cluster);
    return gone() || (postmaster?.pid === child.pid && postmaster?.ready === true);
  };
  if (!(await until(ready, 60_000)) || gone()) {
    await stop();
    const tail = (await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-15).join('\n');
    throw new Error(`PostgreSQL did not start. The end of ${logFile}:\n${tail}`);
  }
  return { exited, stop, [Symbol.asyncDispose]: stop };
}
