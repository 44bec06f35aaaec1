import { freePort } from '../processes/free-port.ts';
import { type Child, startChild } from '../start/child.ts';
import { server, waitForResponse } from '../start/programs.ts';
import { startHaProxy } from './haproxy.ts';

export type Instances = Awaited<ReturnType<typeof startInstances>>;

/**
 * Starts two instances of the service behind HAProxy. Disposal ends all of them.
 * @param env the settings of both; those that concern addresses are added
 */
export async function startInstances(env: NodeJS.ProcessEnv, signal: AbortSignal) {
  await using stack = new AsyncDisposableStack();
  const [port, ...ports] = [await freePort(), await freePort(), await freePort()] as const;
  const origin = `http://localhost:${port}`;
  const shared = { TRUST_PROXY: '127.0.0.1', ...env, BASE_URL: `${origin}/v1`, HOST: '127.0.0.1' };
  const children: (Child | undefined)[] = [];
  const crash = new AbortController();
  const start = (index: number): void => {
    const child = startChild({ ...server({ ...shared, PORT: String(ports[index]) }), quiet: true });
    child.failed.catch((error) => crash.abort(error));
    children[index] = child;
  };
  const ready = (index: number) => waitForResponse(`http://127.0.0.1:${ports[index]}/health/ready`, signal);
  const each = [0, 1];
  stack.defer(async () => {
    await Promise.all(children.map((child) => child?.[Symbol.asyncDispose]()));
  });
  each.forEach(start);
  await Promise.all(each.map(ready));
  const proxy = stack.use(await startHaProxy(port, ports));
  for (const index of each) await proxy.waitFor(index, true);
  const resources = stack.move();
  return {
    /** Of the proxy, without the major version. */
    origin,
    baseUrl: `${origin}/v1`,
    proxy,
    /** Aborts when an instance ends by itself. The proxy would hide this. */
    crashed: crash.signal,
    pids: (): number[] => children.flatMap((child) => child?.pid ?? []),
    /** `kill -9`; resolves when it has ended. */
    kill: (index: number): Promise<void> | undefined => children[index]?.kill(),
    /** SIGTERM; resolves when it has completed its requests and ended. */
    stop: (index: number): Promise<void> | undefined => children[index]?.terminate(),
    /** Starts an instance that has ended; resolves when the proxy sends it requests. */
    async restart(index: number): Promise<void> {
      start(index);
      await ready(index);
      await proxy.waitFor(index, true);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
