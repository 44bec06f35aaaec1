import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Program, runChild } from './child.ts';
import { docsDir } from './docs.ts';
import { signingKeys } from './private-files.ts';
import type { Settings } from './settings.ts';

const command = 'packages/server/src/main.ts';

/** The environment of `waybill` commands, and the signal that aborts them. */
export interface CommandContext {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** The environment of the server: the user's variables, with defaults for a start from the repository. */
export async function serverEnvironment(settings: Settings, databaseUrl: string): Promise<NodeJS.ProcessEnv> {
  const { host, port, baseUrl, dataDir } = settings;
  return {
    CHECK_RESPONSES: 'true',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    DRAIN_MS: '0', // no load balancer watches
    DOCS_DIR: docsDir,
    LOG_LEVEL: 'warn',
    SIGNING_KEYS: await signingKeys(dataDir),
    STORAGE_URL: pathToFileURL(join(dataDir, 'files')).href,
    // The server, too, treats an empty variable as unset.
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
  args: ['--port', String(mockPort), '--host', host, '--quiet'],
  quiet: true,
});

/** Ten shipments at a time, for as long as the service runs. */
export const simulator: Program = {
  name: 'simulator',
  file: 'tools/simulate/main.ts',
  args: ['--shipments', '10', '--speed', '60', '--endless'],
  quiet: true,
};

/** Runs a `waybill` command and returns its stdout. */
export const waybill = ({ env, signal }: CommandContext, ...args: string[]): Promise<string> =>
  runChild({ name: 'waybill', file: command, args, env }, signal);

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
