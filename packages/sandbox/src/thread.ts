/** The thread of a sandbox: it has timers and globals of its own, which a test does not replace. */
import { parentPort, workerData } from 'node:worker_threads';
import { openSandbox } from './local-sandbox.ts';
import type { Call, LocalSandbox, Reply } from './sandbox-interface.ts';

const opening = openSandbox(workerData);
opening.catch(() => {}); // each call reports it
parentPort?.on('message', async ({ name, args, port }: Call) => {
  port.postMessage(await reply(name, args));
  port.close();
});

async function reply(name: keyof LocalSandbox, args: unknown[]): Promise<Reply> {
  try {
    const method = (await opening)[name] as (...args: unknown[]) => unknown;
    return { value: await method(...args) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
