import { MessageChannel, Worker } from 'node:worker_threads';
import { clientVariables } from './postgres/client-variables.ts';
import { nodeVersionError } from './processes/node-version.ts';
import type { Call, LocalSandbox, Reply, Sandbox } from './sandbox-interface.ts';

export type { Sandbox } from './sandbox-interface.ts';

/** Milliseconds for a start, a reset or a stop, each of which takes far less. */
const timeout = 120_000;

/**
 * Starts the service with an empty database of its own, and an account. Several can run at once, in any processes. Everything
 * stops when this process ends.
 * @param settings further settings of the server, such as `{ TRACKING_PREFIX: 'ACME' }`
 * @throws an error that says what to do
 */
export async function startSandbox(settings: Record<string, string> = {}): Promise<Sandbox> {
  const error = nodeVersionError();
  if (error) throw new Error(error);
  const program = import.meta.url.endsWith('.ts') ? 'thread.ts' : 'thread.js'; // also from CommonJS, such as Jest
  const env = { ...process.env };
  for (const name of clientVariables(env)) delete env[name];
  const thread = new Worker(new URL(program, import.meta.url), { workerData: settings, env });

  let hasEnded = false;
  thread.once('exit', () => {
    hasEnded = true;
  });
  function call<Name extends keyof LocalSandbox>(name: Name, args: Parameters<LocalSandbox[Name]>, limit?: number) {
    const { port1, port2 } = new MessageChannel();
    return new Promise<Awaited<ReturnType<LocalSandbox[Name]>>>((resolve, reject) => {
      const fail = (message: string) => reject(new Error(message));
      const isOver = () => fail('The sandbox has stopped. Start another one with startSandbox().');
      if (hasEnded) return isOver();
      port1.once('close', isOver);
      port1.once('message', (reply: Reply) => ('error' in reply ? fail(reply.error) : resolve(reply.value as never)));
      if (limit)
        setTimeout(() => fail(`The sandbox did not complete ${name} within ${limit / 1000} s.`), limit).unref();
      thread.postMessage({ name, args, port: port2 } satisfies Call, [port2]);
    });
  }

  let stopping: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    await call('stop', [], timeout).finally(() => thread.terminate());
  };
  const stop = (): Promise<void> => (stopping ??= end());
  try {
    const connection = await call('connection', [], timeout);
    return {
      ...connection,
      reset: () => call('reset', [], timeout),
      seed: (shipments) => call('seed', [shipments]) as never,
      simulate: (speed, shipments = 10) => call('simulate', [speed, shipments]),
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await thread.terminate();
    throw error;
  }
}
