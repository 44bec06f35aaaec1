import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { startDaemon } from '@waybill/tools/lab/cluster/daemon';
import pg from 'pg';
import { vi } from 'vitest';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';

const versions = '/usr/lib/postgresql';
const [newest] = (await readdir(versions).catch(() => [])).sort((a, b) => Number(b) - Number(a));

/** The folder of the system's PostgreSQL with its server and `pg_dump`; undefined when it is not installed. */
export const systemPostgres: string | undefined = newest && join(versions, newest, 'bin');

// PostgreSQL refuses to run as root.
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Runs a shell script as this process's user, or as that of PostgreSQL. */
export async function runScript(
  script: string,
  { asPostgres = false, env = {} }: { asPostgres?: boolean; env?: Record<string, string> } = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], {
    ...(asPostgres && user),
    env: { ...process.env, ...env, PATH: `${systemPostgres}:${process.env.PATH}` },
  });
  return stdout;
}

/** An empty folder of the user who runs PostgreSQL. */
export async function newFolder() {
  const path = await mkdtemp(join(tmpdir(), 'waybill-backup-'));
  if (user.uid !== undefined) {
    await chmod(tmpdir(), 0o711); // lets the user enter the folder of this run
    await chown(path, user.uid, user.gid);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Creates a cluster. The superuser is `waybill`, without a password. */
export async function createCluster(data: string, settings: string): Promise<void> {
  const initdb = 'initdb -D "$DATA" --no-sync --encoding=UTF8 --locale=C --username=waybill --auth=trust';
  await runScript(initdb, { asPostgres: true, env: { DATA: data } });
  await appendFile(join(data, 'postgresql.conf'), settings);
}

/** Starts PostgreSQL on a data folder. Disposal kills it, as a failing machine would. */
export async function startCluster(data: string) {
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', `port=${port}`];
  const options = settings.flatMap((one) => ['-c', one]);
  const server = await startDaemon(join(systemPostgres ?? '', 'postgres'), ['-D', data, ...options], port, user);
  const urlOf = (database: string): string => `postgres://waybill@127.0.0.1:${port}/${database}`;
  await vi.waitFor(async () => {
    const client = new pg.Client(urlOf('postgres'));
    await client.connect();
    const { rows } = await client.query('select pg_is_in_recovery() as recovering').finally(() => client.end());
    if (rows[0].recovering) throw new Error('PostgreSQL reads the archive');
  }, waitTimeout);
  return { urlOf, [Symbol.asyncDispose]: () => server.end('SIGQUIT') };
}
