import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { exitWithParent } from '@waybill/tools/exit-with-parent';
import { expect, vi } from 'vitest';
import { patience } from './patience.ts';

/** How a program ended, and everything that it said. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A program in a process of its own; disposal kills it when it still runs. */
export interface Program extends AsyncDisposable {
  ended: Promise<Ended>;
  signal(name: NodeJS.Signals): void;
  /** What stdout has so far. */
  output(): string;
  /** Resolves with the match as soon as stdout has it. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
}

const { NODE_COMPILE_CACHE = '' } = process.env;
/** The run's cache of compiled code, for programs that get no other variables of this process. */
export const compileCache: Record<string, string> = NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {};

/** Starts a program with these variables and no others, so that the developer's own settings do not count. */
export function startProgram(script: URL, args: string[], env: Record<string, string> = {}): Program {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    env: { ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  exitWithParent(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, stdout, stderr }));
  return {
    ended,
    signal: (name) => child.kill(name),
    output: () => stdout,
    says: (pattern) =>
      vi.waitFor(() => {
        const match = pattern.exec(stdout);
        expect(match, `${stdout}${stderr}`).not.toBeNull();
        return match as RegExpExecArray;
      }, patience),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs a program to its end. */
export const run = (...program: Parameters<typeof startProgram>): Promise<Ended> => startProgram(...program).ended;
