import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isLong } from '../../fixtures/long-form.ts';
import type { RunningClient } from '../runner.ts';

export interface ConformanceClient {
  start: () => Promise<RunningClient>;
  /** Its events have types at run time. */
  hasTypes: boolean;
  /** Why it cannot run on this machine. */
  unavailable?: string | undefined;
  /** Runs programs in a folder, one after the other. Absent for the TypeScript client, whose samples the tests of the docs run. */
  run?: (programs: string[], folder: string, env: Record<string, string>) => Promise<void>;
}

export const execute = promisify(execFile);

/** The first of these commands that succeeds. */
export const working = (...commands: [string, ...string[]][]): string | undefined =>
  commands.find(([program, ...args]) => {
    try {
      execFileSync(program, args, { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  })?.[0];

/** Why a client is not run in this form of the tests. @param program what it needs; undefined when the machine has none */
export function inLongForm(program: string | undefined, name: string): string | undefined {
  if (!isLong) return 'only npx -y pnpm@12 test:clients runs it';
  return program ? undefined : `there is no ${name} on this machine`;
}

/** Writes the programs as `program0.py` and so on. @returns the names of the files */
export async function writeAll(programs: string[], folder: string, extension: string): Promise<string[]> {
  const files = programs.map((_, n) => `program${n}.${extension}`);
  await Promise.all(files.map((file, n) => writeFile(join(folder, file), programs[n] as string)));
  return files;
}
