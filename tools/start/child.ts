import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { exitWithParent } from '../processes/exit-with-parent.ts';
import { exited, stopChild } from '../processes/kill.ts';
import { root } from './settings.ts';

/** A running program of Waybill. Disposal sends it SIGTERM and resolves when it has ended. */
export interface Child extends AsyncDisposable {
  pid: number | undefined;
  /** Rejects when the program ends before it is killed or disposed. */
  failed: Promise<never>;
  /** `kill -9`; resolves when the program has ended. */
  kill(): Promise<void>;
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

export function startChild(program: Program): Child {
  const child = launch(program, program.quiet ? 'ignore' : 'inherit');
  let isExpected = false;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => {}); // without a listener, a rejection would end this process
  child.once('exit', (code, signal) => {
    if (!isExpected) fail(new Error(`The ${program.name} stopped unexpectedly (${signal ?? `exit code ${code}`}).`));
  });
  return {
    pid: child.pid,
    failed,
    kill() {
      isExpected = child.kill('SIGKILL');
      return exited(child);
    },
    [Symbol.asyncDispose]() {
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
function launch({ file, args, env }: Program, stdout: 'ignore' | 'inherit' | 'pipe'): ChildProcess {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', stdout, 'inherit'],
  });
  exitWithParent(child);
  return child;
}
