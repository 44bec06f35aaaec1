import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

export async function ended(child: ChildProcess): Promise<void> {
  if (!isOver(child)) await once(child, 'exit');
}

/** Stops it as a deployer would; resolves when it has ended. */
export async function end(child: ChildProcess): Promise<void> {
  const over = ended(child);
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await over.finally(() => clearTimeout(force));
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** `kill -9`, if it is still there. */
export function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {} // it was faster
}
