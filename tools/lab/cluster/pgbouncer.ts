import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRunner } from '@waybill/sandbox/postgres/programs';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { findProgram, startDaemon } from './daemon.ts';
import { sampleWith } from './sample.ts';

export type PgBouncer = Awaited<ReturnType<typeof startPgBouncer>>;

/**
 * Starts PgBouncer in transaction mode in front of a PostgreSQL, with the configuration of the guide. Disposal ends it.
 * @param databaseUrl a superuser of PostgreSQL, who may look up the passwords of other roles
 * @param poolSize connections to PostgreSQL for each pair of database and role
 * @param settings more lines of the section `[pgbouncer]`
 */
export async function startPgBouncer(databaseUrl: string, poolSize = 20, settings = '') {
  const target = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'waybill-pgbouncer-'));
  const [ini, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'userlist.txt')];
  const program = findProgram('pgbouncer') ?? 'pgbouncer';
  const runner = await findRunner(program, folder, folder);
  const port = await freePort();
  const text = await sampleWith('pgbouncer.ini', {
    // Any database: tests have databases of their own.
    'waybill = host=10.0.0.20 port=5432': `* = host=${target.hostname} port=${target.port || 5432}`,
    '10.0.0.21': '127.0.0.1',
    '6432': String(port),
    '/etc/pgbouncer/userlist.txt': users,
    'default_pool_size = 20': `default_pool_size = ${poolSize}`,
    // A database without clients can be dropped.
    'pool_mode = transaction': `pool_mode = transaction\nserver_idle_timeout = 1\nauth_user = ${target.username}`,
  });
  await writeFile(ini, `${text}unix_socket_dir =\n${settings}\n`, { mode: 0o600 });
  await writeFile(users, `"${decodeURIComponent(target.username)}" "${decodeURIComponent(target.password)}"\n`, {
    mode: 0o600,
  });
  if (runner.owner) for (const file of [ini, users]) await chown(file, runner.owner.uid, runner.owner.gid);
  const start = () => startDaemon(...runner.command(program, [ini]), port, runner.options);
  let daemon = await start();
  return {
    port,
    /** Returns the URL of a database with the host and port of PgBouncer. */
    through: (url: string): string => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    /** `kill -9`. */
    kill: () => daemon.end('SIGKILL'),
    /** Starts it again on the same port. */
    async start() {
      daemon = await start();
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
