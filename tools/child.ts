import { type ChildProcess, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { exitWithParent } from '@waybill/sandbox/processes/exit-with-parent';
import { exited, stopChild } from '@waybill/sandbox/processes/kill';

/** The root folder of the repository. */
export const root: string = dirname(import.meta.dirname);

export type Child = ReturnType<typeof startChild>;

/** A program of Waybill: its name for messages, its TypeScript file relative to the repository, and its arguments. */
export interface Program {
  name: string;
  file: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** Hides stdout, never stderr. */
  quiet?: boolean;
}

/** Starts a program. Disposal sends it SIGTERM and resolves when it has ended. */
export function startChild({ name, file, args, env = {}, quiet = false }: Program) {
  const child = launch([process.execPath, '--conditions=waybill-source', file, ...args], {
    env,
    stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit'],
  });
  let isExpected = false;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => {}); // without a listener, a rejection would end this process
  child.once('exit', (code, signal) => {
    if (!isExpected) fail(new Error(`The ${name} stopped unexpectedly (${signal ?? `exit code ${code}`}).`));
  });
  return {
    pid: child.pid,
    /** Rejects when the program ends before it is killed or disposed. */
    failed,
    /** `kill -9`; resolves when the program has ended. */
    kill(): Promise<void> {
      isExpected = child.kill('SIGKILL');
      return exited(child);
    },
    /** SIGTERM; resolves when the program has ended, however long its shutdown takes. */
    terminate(): Promise<void> {
      isExpected = child.kill('SIGTERM');
      return exited(child);
    },
    [Symbol.asyncDispose](): Promise<void> {
      isExpected = true;
      return stopChild(child);
    },
  };
}

interface LaunchOptions {
  env: NodeJS.ProcessEnv;
  stdio: ('ignore' | 'inherit' | 'pipe')[];
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

/**
 * Resolves when the URL returns a status below 500.
 * @throws after a minute, or when `signal` aborts
 */
export async function waitForResponse(url: string, signal: AbortSignal): Promise<void> {
  let last: unknown;
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await setTimeout(30)) {
    try {
      const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]) });
      last = await response.text();
      if (response.status < 500) return;
    } catch (error) {
      signal.throwIfAborted();
      last = error;
    }
  }
  throw new Error(`${url} is not ready after a minute: ${last}`);
}
