import type { ChildProcess } from 'node:child_process';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { exited, stopChild } from '@waybill/sandbox/processes/kill';
import { waitUntil } from '@waybill/sandbox/processes/wait-until';
import { launch } from '../../child.ts';

/** A server process that can be ended and started again. */
export interface RestartableServer extends AsyncDisposable {
  /** Of the running process. */
  pid(): number;
  /** `kill -9`; resolves when it has ended. */
  kill(): Promise<void>;
  /** SIGTERM; resolves when it has completed its requests and ended, however long that takes. */
  stop(): Promise<void>;
  /** Starts it again on the same port; resolves when it is ready. */
  start(): Promise<void>;
  /** Ends the reader of its log, until its next start. */
  endReader(): void;
}

const command = [process.execPath, '--conditions=waybill-source', 'packages/server/src/main.ts', 'serve'];

/**
 * Starts a server, and resolves when it is ready. Disposal ends it.
 * @param env its settings, with `HOST` and `PORT`
 * @param fail called when it ends by itself
 * @param logFile to which its log is written; by default this process reads it
 */
export async function startServer(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  fail: (error: unknown) => void,
  logFile?: string,
): Promise<RestartableServer> {
  let child: ChildProcess;
  let isExpected = false;
  const start = async (): Promise<void> => {
    isExpected = false;
    await using log: FileHandle | undefined = logFile === undefined ? undefined : await open(logFile, 'a');
    child = launch(command, { env, stdio: ['ignore', log?.fd ?? 'pipe', 'inherit'] });
    child.stdout?.resume();
    const { promise: failed, reject } = Promise.withResolvers<never>();
    failed.catch(fail);
    child.once('exit', (code, by) => {
      if (!isExpected) reject(new Error(`The server stopped unexpectedly (${by ?? `exit code ${code}`}).`));
    });
    try {
      await Promise.race([waitForResponse(`http://127.0.0.1:${env.PORT}/health/ready`, signal), failed]);
    } catch (error) {
      await dispose();
      throw error;
    }
  };
  const end = (by: NodeJS.Signals): Promise<void> => {
    isExpected = child.kill(by);
    return exited(child);
  };
  const dispose = (): Promise<void> => {
    isExpected = true;
    return stopChild(child);
  };
  await start();
  return {
    pid: () => Number(child.pid),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    start,
    endReader: () => child.stdout?.destroy(),
    [Symbol.asyncDispose]: dispose,
  };
}

/**
 * Resolves when the URL returns a status below 500.
 * @throws after a minute, or when `signal` aborts
 */
async function waitForResponse(url: string, signal: AbortSignal): Promise<void> {
  const isReady = async (): Promise<boolean> => {
    const either = AbortSignal.any([signal, AbortSignal.timeout(5_000)]);
    const response = await fetch(url, { signal: either }).catch(() => setTimeout(30));
    await response?.text();
    signal.throwIfAborted();
    return response !== undefined && response.status < 500;
  };
  if (!(await waitUntil(isReady, 60_000))) throw new Error(`${url} is not ready after a minute.`);
}
