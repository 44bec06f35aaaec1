import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { exitWithParent } from '@waybill/sandbox/processes/exit-with-parent';

/** The root folder of the repository. */
export const root: string = dirname(import.meta.dirname);

interface LaunchOptions {
  env: NodeJS.ProcessEnv;
  stdio: ('ignore' | 'inherit' | 'pipe' | number)[];
  /** Ends the programs that the command starts together with this process, too. */
  group?: boolean;
}

/** Starts a command in the repository. In its own process group, so that Ctrl-C does not reach it. */
export function launch([file = '', ...args]: string[], { env, stdio, group = false }: LaunchOptions): ChildProcess {
  // No shell in between, so that signals reach the command.
  const child = spawn(file, args, { cwd: root, detached: true, env: { ...process.env, ...env }, stdio });
  exitWithParent(child, { group });
  return child;
}

/** Runs a command in this terminal and passes signals on. @returns its exit code */
export async function runInForeground([file = '', ...args]: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const child = spawn(file, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

/** Runs tasks of turbo.json. @returns the exit code */
export const runTasks = (...args: string[]): Promise<number> =>
  runInForeground(['turbo', 'run', ...args], { TURBO_TELEMETRY_DISABLED: '1' });
