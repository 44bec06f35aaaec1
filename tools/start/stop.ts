import { watchLaunchers } from './launchers.ts';

/** Signals this close together are one wish: pnpm passes on what the terminal has already sent. In milliseconds. */
const sameWish = 500;
const forced = { SIGINT: 130, SIGTERM: 143 };

/**
 * A signal that aborts when Waybill shall stop: on SIGINT, SIGTERM or SIGHUP, or when one of the processes that launched
 * it has ended. The next SIGINT or SIGTERM ends this process, and with it all that it started, at once.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let since = 0;
  const stop = (why: string) => {
    if (controller.signal.aborted) return;
    since = Date.now();
    console.error(`\nStopping (${why}) …`);
    controller.abort();
  };
  for (const [name, code] of Object.entries(forced)) {
    process.on(name, () => {
      if (controller.signal.aborted && Date.now() - since > sameWish) process.exit(code);
      stop(name);
    });
  }
  process.on('SIGHUP', () => stop('the terminal is gone'));
  watchLaunchers(() => stop('what started it is gone'));
  return controller.signal;
}
