import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { clientsFolder, type RunningClient, startRunner } from './runner.ts';
import { startTypescript } from './runners/typescript.ts';

export interface ConformanceClient {
  start: () => Promise<RunningClient>;
  /** Its events have types at run time. */
  hasTypes: boolean;
  /** Why it cannot run on this machine. */
  unavailable?: string | undefined;
}

const runners = join(import.meta.dirname, 'runners');

/** The first of these commands that succeeds. */
const working = (...commands: [string, ...string[]][]): string | undefined =>
  commands.find(([program, ...args]) => {
    try {
      return execFileSync(program, args, { stdio: 'ignore' }) === null || true;
    } catch {
      return false;
    }
  })?.[0];

const python = working(['python3', '-c', 'import httpx'], ['/usr/bin/python3', '-c', 'import httpx']);

export const clients: Record<string, ConformanceClient> = {
  typescript: { start: startTypescript, hasTypes: false },
  python: {
    hasTypes: true,
    unavailable: python ? undefined : 'there is no Python with httpx on this machine; .ci/run installs it',
    start: async () => startRunner(python as string, [join(runners, 'runner.py'), join(clientsFolder, 'python')]),
  },
};
