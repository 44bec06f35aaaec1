import { setTimeout } from 'node:timers/promises';
import { type Postgres, type PostgresOptions, startPostgres } from '@waybill/sandbox/postgres/postgres';
import { sendSignal } from '@waybill/sandbox/processes/kill';
import { processAndChildren } from '@waybill/sandbox/processes/process-tree';
import { waitUntil } from '@waybill/sandbox/processes/wait-until';

export type RestartablePostgres = Awaited<ReturnType<typeof startRestartablePostgres>>;

interface Options extends Pick<PostgresOptions, 'dataDir' | 'settings' | 'bin'> {
  /** Starts it again whenever it ends unexpectedly, as systemd does. */
  isSupervised?: boolean;
}

/** Milliseconds between two attempts of the supervisor. */
const restartInterval = 500;

/**
 * Starts a PostgreSQL that can be ended, suspended and started again on the same port.
 * @param fail called when it ends unexpectedly and is not supervised
 */
export async function startRestartablePostgres(
  { isSupervised = false, ...options }: Options,
  fail: (error: unknown) => void,
) {
  let running: Postgres | undefined;
  let isOver = false;
  let restarting: Promise<void> | undefined;
  const start = async (port?: number): Promise<Postgres> => {
    const started = await startPostgres({ ...options, ...(port !== undefined && { port }) });
    running = started;
    started.exited.then(() => {
      if (running !== started) return; // it was stopped
      running = undefined;
      if (isSupervised) restarting = restart();
      else fail(new Error('PostgreSQL stopped unexpectedly.'));
    });
    return started;
  };
  const restart = async (): Promise<void> => {
    // For as long as the cause lasts.
    for (; !running && !isOver; await setTimeout(restartInterval)) await start(port).catch(() => {});
  };
  const { url } = await start();
  const port = Number(new URL(url).port);
  /** The postmaster first, then its children. */
  const pids = async (): Promise<number[]> => (running ? processAndChildren(running.pid) : []);
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    if (running) sendSignal(running.pid, name); // a suspended one cannot fork a child that the list misses
    for (const pid of await pids()) sendSignal(pid, name);
  };
  const end = async (send: (pids: number[]) => void): Promise<void> => {
    if (!running) return;
    const { pid, exited } = running;
    sendSignal(pid, 'SIGSTOP'); // as in `signal`
    const ended = await pids();
    running = undefined;
    send(ended);
    sendSignal(pid, 'SIGCONT');
    await exited;
    await waitUntil(() => !ended.some((each) => sendSignal(each, 0)), 10_000);
  };
  return {
    url,
    /** Of the running postmaster. */
    pid: (): number => running?.pid ?? 0,
    /** Resolves when it accepts connections again. */
    start: async (): Promise<void> => void (await start(port)),
    /** `kill -9` of all its processes; resolves when they have ended. */
    kill: (): Promise<void> =>
      end((all) => {
        for (const pid of all) sendSignal(pid, 'SIGKILL');
      }),
    /** Sends a signal to the postmaster alone; resolves when all processes have ended. */
    end: (name: NodeJS.Signals): Promise<void> =>
      end((all) => {
        for (const postmaster of all.slice(0, 1)) sendSignal(postmaster, name);
      }),
    /** Sends a signal to all processes. */
    signal,
    async [Symbol.asyncDispose]() {
      isOver = true;
      await restarting;
      await signal('SIGCONT'); // a suspended PostgreSQL does not stop
      const stopped = running;
      running = undefined;
      await stopped?.stop();
    },
  };
}
