import { command, flag, UsageError } from '../processes/command-line.ts';
import { stopSignal } from '../processes/stop.ts';
import type { DemoOptions } from './demo.ts';
import { readSettings, type Settings } from './settings.ts';

interface Usage {
  /** How the command is called. */
  call: string;
  what: string;
  /** The variables of the environment. */
  environment: string;
}

interface Options extends DemoOptions {
  /** Simulate shipments of the demo account. */
  simulate: boolean;
}

/**
 * Runs a command that starts the service for people and ends at Ctrl-C.
 * @param run starts and stops it; rejects with the signal's reason when it aborts
 */
export function runDemo(
  { call, what, environment }: Usage,
  run: (settings: Settings, options: Options, signal: AbortSignal) => Promise<never>,
): Promise<void> {
  const usage = `Usage: ${call} [--fresh] [--demo] [--simulate]

${what} Ctrl-C stops everything.

  --fresh     clear the embedded database first
  --demo      with DATABASE_URL: migrate that database and create a demo account in it
  --simulate  simulate ten shipments at a time while the service runs, and print their events
  --help      show this text

Environment: ${environment}
`;
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
