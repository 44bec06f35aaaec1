import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { exitWithParent } from '../processes/exit-with-parent.ts';
import { root } from './settings.ts';

/** A program of Waybill that runs until it is stopped. */
export interface Child extends AsyncDisposable {
  /** Rejects when the child ends without having been asked to. */
  died: Promise<never>;
}

/** A program of Waybill: its name for people, its TypeScript file relative to the repository, and its arguments. */
export interface Program {
  name: string;
  file: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** Whether what it prints is of no interest; what it has to complain about always is. */
  quiet?: boolean;
}

/** Longer than the server gives its requests to finish, in milliseconds. */
const patience = 20_000;

/** Starts a program; disposal sends it SIGTERM and resolves when it has ended. */
export function startChild(program: Program): Child {
  const child = launch(program, program.quiet ? 'ignore' : 'inherit');
  let asked = false;
  const ended = once(child, 'exit');
  const died = ended.then(([code, signal]) => {
    if (asked) return new Promise<never>(() => {});
    throw new Error(`The ${program.name} ended by itself (${signal ?? `exit code ${code}`}).`);
  });
  died.catch(() => {}); // it may die while nobody looks
  const stop = async () => {
    asked = true;
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), patience);
    await ended.finally(() => clearTimeout(force));
  };
  return { died, [Symbol.asyncDispose]: stop };
}

/**
 * Runs a program to its end. What it says on stderr is seen at once.
 * @returns what it printed
 * @throws with what it printed when it fails, or when `signal` ends it
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

/** Without a shell in between, so that a signal meets the program; in a group of its own, so that Ctrl-C does not. */
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
