import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exited, sendSignal } from './kill.ts';

interface ExitOptions {
  /** The signal that stops the program. Programs with SIGINT, the databases, stop after the others. */
  signal?: 'SIGTERM' | 'SIGINT';
  /** The program leads a process group, and the whole group is stopped. */
  group?: boolean;
}

const running = new Map<ChildProcess, () => boolean>();
let watchdog: ReturnType<typeof startWatchdog> | undefined;

/**
 * Ends a program together with this process: directly when this process exits, through the watchdog when it is killed.
 */
export function exitWithParent(child: ChildProcess, { signal = 'SIGTERM', group = false }: ExitOptions = {}): void {
  if (child.pid === undefined) return; // it did not start
  const pid = group ? -child.pid : child.pid;
  watchdog ??= startWatchdog();
  const { input } = watchdog;
  input.write(`${JSON.stringify({ pid, signal })}\n`);
  running.set(child, () => sendSignal(pid, signal === 'SIGINT' ? signal : 'SIGKILL'));
  child.once('exit', () => {
    running.delete(child);
    input.write(`${JSON.stringify({ pid })}\n`);
  });
}

/** Ends the watchdog, when all programs have ended. */
export async function endWatchdog(): Promise<void> {
  watchdog?.input.end();
  if (watchdog) await exited(watchdog.child);
  watchdog = undefined;
}

process.once('exit', () => {
  for (const end of running.values()) end();
});

/** One watchdog for all programs of this process. It outlives this process, but does not keep it running. */
function startWatchdog() {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL(`watchdog${extname(import.meta.url)}`, import.meta.url))],
    {
      detached: true, // not reached by Ctrl-C
      stdio: ['pipe', 'ignore', 'inherit'],
    },
  );
  child.unref();
  const input = child.stdin as Socket;
  input.on('error', () => {}); // without the watchdog, only a killed process leaves programs running
  input.unref();
  return { child, input };
}
