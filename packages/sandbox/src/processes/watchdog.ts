import { createInterface } from 'node:readline';
import { sendSignal } from './kill.ts';
import { waitUntil } from './wait-until.ts';

/**
 * Runs beside a process that starts programs, and reads their process ids from stdin. Stdin closes when that process ends
 * for any reason. Then the watchdog stops the programs that still run: databases after the programs that use them.
 */
const programs = new Map<number, string>();
for await (const line of createInterface({ input: process.stdin })) {
  const { pid, signal } = JSON.parse(line) as { pid: number; signal?: string };
  if (signal) programs.set(pid, signal);
  else programs.delete(pid);
}
await stop('SIGTERM', 'SIGKILL');
await stop('SIGINT', 'SIGQUIT');

/** Sends `signal` to the programs that stop by it, and `force` after 20 s. */
async function stop(signal: NodeJS.Signals, force: NodeJS.Signals): Promise<void> {
  const pids = [...programs].flatMap(([pid, own]) => (own === signal ? [pid] : []));
  const sendAll = (name: NodeJS.Signals | 0): number[] => pids.filter((pid) => sendSignal(pid, name));
  sendAll(signal);
  await waitUntil(() => sendAll(0).length === 0, 20_000);
  sendAll(force);
}
