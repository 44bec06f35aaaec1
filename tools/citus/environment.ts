import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createDatabase } from '../postgres/create-database.ts';
import { freePort } from '../processes/free-port.ts';
import { type Child, startChild } from '../start/child.ts';
import { createDemoAccount } from '../start/demo-account.ts';
import { server as serverProgram, waitForResponse, waybill } from '../start/programs.ts';

export type CitusEnvironment = Awaited<ReturnType<typeof startCitusEnvironment>>;

/**
 * Starts a server on a new distributed database.
 * @param citus the URL of a superuser on the coordinator
 * @param env more settings of the server
 */
export async function startCitusEnvironment(citus: string, env: NodeJS.ProcessEnv, stop: AbortSignal) {
  await using stack = new AsyncDisposableStack();
  const failure = new AbortController();
  const signal = AbortSignal.any([stop, failure.signal]);
  const folder = await mkdtemp(join(tmpdir(), 'waybill-citus-files-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const { url: databaseUrl, drop } = await createDatabase(citus);
  stack.defer(() => drop({ force: true }));

  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const settings = {
    // The machine may be busy, and no outage waits for these times.
    DATABASE_TIMEOUT_MS: '15000',
    OVERLOAD_DELAY_MS: '600000',
    RATE_LIMIT: '999999999',
    ...env,
    BASE_URL: baseUrl,
    DATABASE_URL: databaseUrl,
    HOST: '127.0.0.1',
    PORT: String(port),
    SIGNING_KEYS: 'not-a-secret-not-a-secret-not-a-secret',
    STORAGE_URL: pathToFileURL(join(folder, 'files')).href,
  };
  const context = { env: settings, signal };
  await waybill(context, 'migrate');
  await waybill(context, 'distribute');
  const { api_key, carrier_api_key } = await createDemoAccount(context);

  let server: Child | undefined;
  stack.defer(() => server?.[Symbol.asyncDispose]());
  const startServer = async (): Promise<void> => {
    server = startChild({ ...serverProgram(settings), quiet: true });
    server.failed.catch((error) => failure.abort(error));
    await waitForResponse(new URL('/health/ready', baseUrl).href, signal);
  };
  await startServer();
  const resources = stack.move();
  return {
    databaseUrl,
    shipper: { baseUrl, apiKey: api_key },
    carrier: { baseUrl, apiKey: carrier_api_key },
    /** Aborts when the user stops the command, and when the server ends by itself. */
    signal,
    pids: async (): Promise<number[]> => (server?.pid ? [server.pid] : []),
    killServer: async (): Promise<void> => server?.kill(),
    startServer,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
