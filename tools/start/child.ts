import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { exitWithParent } from '../processes/exit-with-parent.ts';
import { stopChild } from '../processes/kill.ts';
import { root } from './settings.ts';

/** A running program of Waybill. */
export interface Child extends AsyncDisposable {
  /** Rejects when the program ends before it is disposed. */
  failed: Promise<never>;
}

/** A program of Waybill: its name for messages, its TypeScript file relative to the repository, and its arguments. */
export interface Program {
  name: string;
  file: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** Hides stdout, never stderr. */
  quiet?: boolean;
}

/** Starts a program; disposal sends it SIGTERM and resolves when it has ended. */
export function startChild(program: Program): Child {
  const child = launch(program, program.quiet ? 'ignore' : 'inherit');
  let isStopping = false;
  const failed = once(child, 'exit').then(([code, signal]) => {
    if (isStopping) return new Promise<never>(() => {});
    throw new Error(`The ${program.name} stopped unexpectedly (${signal ?? `exit code ${code}`}).`);
  });
  failed.catch(() => {}); // without a listener, a rejection would end this process
  const stop = () => {
    isStopping = true;
    return stopChild(child);
  };
  return { failed, [Symbol.asyncDispose]: stop };
}

/**
 * Runs a program to its end, with stderr inherited.
 * @returns its stdout
 * @throws with its stdout when it fails; with the signal's reason when `signal` aborts
 */
export async function runChild(program: Program, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const child = launch(program, 'pipe');
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  const [output, [code]] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'exit')]);
  signal.removeEventListener('abort', end);
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`${output}\`${[program.name, ...program.args].join(' ')}\` failed.`);
  return output;
}

/** No shell in between, so that signals reach the program; its own process group, so that Ctrl-C does not. */
export function launch({ file, args, env }: Program, stdout: 'ignore' | 'inherit' | 'pipe'): ChildProcess {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', stdout, 'inherit'],
  });
  exitWithParent(child);
  return child;
}
