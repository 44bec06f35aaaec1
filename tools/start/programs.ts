import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Program, runChild } from './child.ts';
import { docsDir } from './docs.ts';
import { signingKeys } from './secrets.ts';
import type { Settings } from './settings.ts';

const command = 'packages/server/src/main.ts';

/** How `waybill` is called: with this environment, and only until the signal aborts. */
export interface Run {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** The settings of the server: what the environment says, else what suits a start from the repository. */
export async function serverEnvironment(settings: Settings, databaseUrl: string): Promise<NodeJS.ProcessEnv> {
  const { host, port, baseUrl, dataDir } = settings;
  return {
    CHECK_RESPONSES: 'true',
    DOCS_DIR: docsDir,
    LOG_LEVEL: 'warn',
    SIGNING_KEYS: await signingKeys(dataDir),
    STORAGE_URL: pathToFileURL(join(dataDir, 'files')).href,
    // An empty variable is an unset one, as for the server.
    ...Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== '')),
    BASE_URL: baseUrl,
    DATABASE_URL: databaseUrl,
    HOST: host,
    PORT: String(port),
  };
}

export const postgresDir = ({ dataDir }: Settings): string => join(dataDir, 'postgres');

export const server = (env: NodeJS.ProcessEnv): Program => ({ name: 'server', file: command, args: ['serve'], env });

export const mock = ({ host, mockPort }: Settings): Program => ({
  name: 'mock',
  file: 'packages/mock/src/main.ts',
  args: ['--port', String(mockPort), '--host', host],
  quiet: true,
});

/** A few shipments at a gentle pace, for as long as the service runs. */
export const simulator: Program = {
  name: 'simulator',
  file: 'tools/simulate/main.ts',
  args: ['--shipments', '10', '--speed', '60', '--endless'],
  quiet: true,
};

/** Runs a `waybill` command and returns what it prints. */
export const waybill = ({ env, signal }: Run, ...args: string[]): Promise<string> =>
  runChild({ name: 'waybill', file: command, args, env }, signal);

/**
 * Resolves when the address answers, and without a 5xx.
 * @throws when it still does not after a minute, or `signal` aborts
 */
export async function answers(url: string, signal: AbortSignal): Promise<void> {
  let last: unknown;
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await setTimeout(30, undefined, { signal })) {
    try {
      const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]) });
      last = await response.text();
      if (response.status < 500) return;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`${url} does not answer: ${last}`);
}
