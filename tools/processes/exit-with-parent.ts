import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

interface Ending {
  /** How the program is asked to stop. Those with SIGINT, which are databases, are asked when the others have ended. */
  signal?: 'SIGTERM' | 'SIGINT';
  /** The program leads a process group, and the whole group stops. */
  group?: boolean;
}

const running = new Map<ChildProcess, () => void>();
let pipe: Socket | undefined;

/**
 * Makes a program end with this process: at once when this process exits, and by way of the watchdog when this process
 * is killed.
 */
export function exitWithParent(child: ChildProcess, { signal = 'SIGTERM', group = false }: Ending = {}): void {
  if (child.pid === undefined) return; // it did not start
  const pid = group ? -child.pid : child.pid;
  pipe ??= startWatchdog();
  const watchdog = pipe;
  watchdog.write(`${JSON.stringify({ pid, signal })}\n`);
  running.set(child, () => send(pid, signal === 'SIGINT' ? signal : 'SIGKILL'));
  child.once('exit', () => {
    running.delete(child);
    watchdog.write(`${JSON.stringify({ pid })}\n`);
  });
}

process.once('exit', () => {
  for (const end of running.values()) end();
});

/** One for all programs of this process. It outlives this process, but does not keep it. */
function startWatchdog(): Socket {
  const watchdog = spawn(process.execPath, [fileURLToPath(new URL('watchdog.ts', import.meta.url))], {
    detached: true, // Ctrl-C is not for the watchdog
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  watchdog.unref();
  const input = watchdog.stdin as Socket;
  input.on('error', () => {}); // without a watchdog only a killed process leaves something behind
  input.unref();
  return input;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {} // it has ended
}
