import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

/**
 * Runs beside a process that starts programs, and reads their process ids from it. The input closes when that process
 * has ended, however it ended. Then what it left running is stopped: databases after the programs that use them.
 */
const left = new Map<number, string>();
for await (const line of createInterface({ input: process.stdin })) {
  const { pid, signal } = JSON.parse(line) as { pid: number; signal?: string };
  if (signal) left.set(pid, signal);
  else left.delete(pid);
}
await stop('SIGTERM', 'SIGKILL');
await stop('SIGINT', 'SIGQUIT');

/** Sends the signal to those that it was asked for, and after 20 s the other one. */
async function stop(signal: NodeJS.Signals, force: NodeJS.Signals): Promise<void> {
  const pids = [...left].flatMap(([pid, asked]) => (asked === signal ? [pid] : []));
  const running = (with_: NodeJS.Signals | 0): number[] => pids.filter((pid) => send(pid, with_));
  running(signal);
  for (const deadline = Date.now() + 20_000; running(0).length > 0 && Date.now() < deadline; ) await setTimeout(20);
  running(force);
}

/** False when there is no such process. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
