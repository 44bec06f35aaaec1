import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Runner } from '@waybill/sandbox/postgres/programs';
import { acceptsConnections } from '@waybill/sandbox/processes/accepts-connections';
import { exitWithParent } from '@waybill/sandbox/processes/exit-with-parent';
import { exited } from '@waybill/sandbox/processes/kill';
import { waitUntil } from '@waybill/sandbox/processes/wait-until';

export type Daemon = Awaited<ReturnType<typeof startDaemon>>;

/** Milliseconds until a program must accept connections. */
const startTimeout = 60_000;

/**
 * Starts a program that stays in the foreground. Disposal sends SIGTERM and resolves when it has ended.
 * @param port the port of 127.0.0.1 on which it accepts connections once it has started
 * @throws when it ends instead, with its messages
 */
export async function startDaemon(
  file: string,
  args: string[],
  port: number,
  options: Partial<Runner['options']> & { cwd?: string; detached?: boolean } = {},
) {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  exitWithParent(child);
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    messages = (messages + text).slice(-4_000);
  });
  await once(child, 'spawn');
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await waitUntil(async () => hasEnded() || (await acceptsConnections({ port })), startTimeout);
  if (hasEnded()) throw new Error(`${file} has ended: ${messages}`);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited(child);
  };
  return {
    pid: child.pid,
    /** Resolves when it has ended. */
    end,
    signal: (name: NodeJS.Signals): boolean => child.kill(name),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}

/** Debian has servers in sbin, which is not in the PATH of every user. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Returns the path of an installed program; undefined when there is none. */
export const findProgram = (name: string): string | undefined =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path));

/** The programs of a cluster that this machine lacks; Debian's packages have the same names. */
export const missingPrograms = (): string[] =>
  ['haproxy', 'pgbouncer', 'redis-server'].filter((name) => findProgram(name) === undefined);
