import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { freePort } from '@waybill/sandbox/processes/free-port';
import type { Environment } from '../chaos/environment.ts';
import { startDaemon } from '../cluster/daemon.ts';
import type { Operation } from './operations.ts';
import { firstOf, type RequestTemplate } from './request-template.ts';

/** A server to measure: the service or a peer. */
export interface Server {
  name: string;
  origin: string;
  pid: number;
}

/** Starts a server written by hand, for the account of the environment. @param file of this folder */
export async function startPeer(
  { accountId, databaseUrl }: Pick<Environment, 'accountId' | 'databaseUrl'>,
  file: string,
  args: string[],
): Promise<Omit<Server, 'name'> & AsyncDisposable> {
  const port = await freePort();
  const env = { ACCOUNT_ID: accountId, DATABASE_URL: databaseUrl, NODE_ENV: 'production', PORT: String(port) };
  const options = { cwd: import.meta.dirname, detached: true, env: { ...process.env, ...env } };
  const peer = await startDaemon(process.execPath, [file, ...args], port, options);
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: peer.pid ?? 0,
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

/** Starts the peers of an operation. @returns the service and the peers */
export async function startPeers(
  environment: Environment,
  { peers }: Operation,
  stack: AsyncDisposableStack,
): Promise<Server[]> {
  const { servers, shipper } = environment;
  const started = peers.map(async ([name, ...args]) => {
    const { origin, pid } = stack.use(await startPeer(environment, 'peer.ts', args));
    return { name, origin, pid };
  });
  const service = { name: 'Waybill', origin: new URL(shipper.baseUrl).origin, pid: servers[0]?.pid() ?? 0 };
  return [service, ...(await Promise.all(started))];
}

/**
 * Sends the same request to the service and its peers.
 * @throws when a response differs from the service's in more than the fields that each creation assigns
 */
export async function checkResponses(
  servers: Server[],
  template: RequestTemplate,
  { assigned }: Operation,
): Promise<void> {
  const { path, headers, ...request } = firstOf(template);
  let expected: object | undefined;
  for (const { name, origin } of servers) {
    const key = headers['Idempotency-Key'] && { 'Idempotency-Key': randomUUID() };
    const response = await fetch(origin + path, { ...request, headers: { ...headers, ...key } });
    const text = await response.text();
    const body = assigned && JSON.parse(text, (key, value) => (assigned.includes(key) ? typeof value : value));
    const found = { status: response.status, body };
    expected ??= found;
    if (!response.ok || !isDeepStrictEqual(found, expected))
      throw new Error(`${name} returns ${JSON.stringify(found)}, but Waybill ${JSON.stringify(expected)}`);
  }
}
