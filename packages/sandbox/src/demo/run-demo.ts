import { command, flag, UsageError } from '../processes/command-line.ts';
import { stopSignal } from '../processes/stop.ts';
import type { DemoOptions } from './demo.ts';
import { readSettings, type Settings } from './settings.ts';

interface Options extends DemoOptions {
  /** Simulate shipments of the demo account. */
  simulate: boolean;
}

/**
 * Runs a command that starts the service for people and ends at Ctrl-C.
 * @param usage its lines, with the options of `Options`
 * @param run starts and stops it; rejects with the signal's reason when it aborts
 */
export function runDemo(
  usage: readonly string[],
  run: (settings: Settings, options: Options, signal: AbortSignal) => Promise<never>,
): Promise<void> {
  // A closed output must not prevent an orderly shutdown.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return command({ usage, options: { fresh: flag, demo: flag, simulate: flag } }, async (options) => {
    if (options.fresh && process.env.DATABASE_URL)
      throw new UsageError('--fresh clears only the embedded database, but DATABASE_URL is set. Remove one of them.');
    if (options.simulate && process.env.DATABASE_URL && !options.demo)
      throw new UsageError(
        '--simulate needs the demo account, but DATABASE_URL is set. Add --demo to create the account there.',
      );
    const signal = stopSignal();
    await run(readSettings(process.env), options, signal).catch((error) => {
      if (!signal.aborted || error !== signal.reason) throw error;
    });
    console.error('Stopped.');
    return 0;
  });
}
