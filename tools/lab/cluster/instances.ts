import { freePort } from '@waybill/sandbox/processes/free-port';
import { startHaProxy } from './haproxy.ts';
import { type RestartableServer, startServer } from './server.ts';

export type Instances = Awaited<ReturnType<typeof startInstances>>;

/**
 * Starts two instances of the service behind HAProxy. Disposal ends all of them.
 * @param env the settings of both; those that concern addresses are added
 * @param fail called when an instance ends by itself, which the proxy would hide
 */
export async function startInstances(env: NodeJS.ProcessEnv, signal: AbortSignal, fail: (error: unknown) => void) {
  await using stack = new AsyncDisposableStack();
  const [port, ...ports] = [await freePort(), await freePort(), await freePort()] as const;
  const origin = `http://localhost:${port}`;
  const shared = { TRUST_PROXY: '127.0.0.1', ...env, BASE_URL: `${origin}/v1`, HOST: '127.0.0.1' };
  const starts = ports.map(async (own) => stack.use(await startServer({ ...shared, PORT: String(own) }, signal, fail)));
  const instances = await Promise.all(starts);
  const proxy = stack.use(await startHaProxy(port, ports));
  for (const index of instances.keys()) await proxy.waitFor(index);
  const resources = stack.move();
  return {
    /** Of the proxy, without the major version. */
    origin,
    baseUrl: `${origin}/v1`,
    /** A server has started when the proxy sends it requests. */
    servers: instances.map((instance, index) => ({
      ...instance,
      async start() {
        await instance.start();
        await proxy.waitFor(index);
      },
    })) satisfies RestartableServer[],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
