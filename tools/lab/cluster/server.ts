import { type Child, startChild, waitForResponse } from '../../child.ts';

/** A server process that can be ended and started again. */
export interface RestartableServer extends AsyncDisposable {
  /** Of the running process. */
  pid(): number;
  /** `kill -9`; resolves when it has ended. */
  kill(): Promise<void>;
  /** SIGTERM; resolves when it has completed its requests and ended. */
  stop(): Promise<void>;
  /** Starts it again on the same port; resolves when it is ready. */
  start(): Promise<void>;
}

/**
 * Starts a server, and resolves when it is ready. Disposal ends it.
 * @param env its settings, with `HOST` and `PORT`
 * @param fail called when it ends by itself
 */
export async function startServer(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  fail: (error: unknown) => void,
): Promise<RestartableServer> {
  let child: Child;
  const start = async (): Promise<void> => {
    child = startChild({ name: 'server', file: 'packages/server/src/main.ts', args: ['serve'], env, quiet: true });
    child.failed.catch(fail);
    try {
      const ready = waitForResponse(`http://127.0.0.1:${env.PORT}/health/ready`, signal);
      await Promise.race([ready, child.failed]);
    } catch (error) {
      await child[Symbol.asyncDispose]();
      throw error;
    }
  };
  await start();
  return {
    pid: () => Number(child.pid),
    kill: () => child.kill(),
    stop: () => child.terminate(),
    start,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
