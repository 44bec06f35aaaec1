import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Longer than the server takes to shut down, in milliseconds. */
const shutdownTimeout = 20_000;

/** Resolves when the process has ended. */
export async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Sends SIGTERM, and SIGKILL after a timeout; resolves when the process has ended. */
export async function stopChild(child: ChildProcess): Promise<void> {
  const end = exited(child);
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), shutdownTimeout);
  await end.finally(() => clearTimeout(force));
}

/** Sends a signal; 0 only checks. @returns false when there is no such process */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
