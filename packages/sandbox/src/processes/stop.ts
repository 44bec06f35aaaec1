import { watchLaunchers } from './launchers.ts';

/** Signals within this time count as one, because pnpm forwards what the terminal has already sent. In milliseconds. */
const duplicateWindow = 500;
const exitCodes = { SIGINT: 130, SIGTERM: 143 };

/**
 * Returns a signal that aborts on SIGINT, SIGTERM or SIGHUP, or when one of the launching processes ends. A second SIGINT
 * or SIGTERM ends this process and its children at once.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let stoppedAt = 0;
  const stop = (reason: string) => {
    if (controller.signal.aborted) return;
    stoppedAt = Date.now();
    console.error(`\nStopping (${reason}) …`);
    controller.abort();
  };
  for (const [name, code] of Object.entries(exitCodes)) {
    process.on(name, () => {
      if (controller.signal.aborted && Date.now() - stoppedAt > duplicateWindow) process.exit(code);
      stop(name);
    });
  }
  process.on('SIGHUP', () => stop('the terminal was closed'));
  watchLaunchers(() => stop('the parent process ended'));
  return controller.signal;
}
