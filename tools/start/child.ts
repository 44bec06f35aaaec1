import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { exitWithParent } from '../processes/exit-with-parent.ts';
import { exited, stopChild } from '../processes/kill.ts';
import { root } from './settings.ts';

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
export function startChild(program: Program) {
  const child = launchProgram(program, program.quiet ? 'ignore' : 'inherit');
  let isExpected = false;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => {}); // without a listener, a rejection would end this process
  child.once('exit', (code, signal) => {
    if (!isExpected) fail(new Error(`The ${program.name} stopped unexpectedly (${signal ?? `exit code ${code}`}).`));
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

/**
 * Runs a program to its end, with stderr inherited.
 * @returns its stdout
 * @throws with its stdout when it fails; with the signal's reason when `signal` aborts
 */
export async function runChild(program: Program, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const child = launchProgram(program, 'pipe');
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  const [output, [code]] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'exit')]);
  signal.removeEventListener('abort', end);
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`${output}\`${[program.name, ...program.args].join(' ')}\` failed.`);
  return output;
}

const launchProgram = ({ file, args, env = {} }: Program, stdout: 'ignore' | 'inherit' | 'pipe'): ChildProcess =>
  launch([process.execPath, '--conditions=waybill-source', file, ...args], {
    env,
    stdio: ['ignore', stdout, 'inherit'],
  });

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
