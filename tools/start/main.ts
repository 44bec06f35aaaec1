import { command, flag, UsageError } from '../command-line.ts';
import { readSettings } from './settings.ts';
import { start } from './start.ts';
import { stopSignal } from './stop.ts';

const usage = `Usage: npx -y pnpm@12 start [--fresh] [--demo] [--simulate]

Starts PostgreSQL, the service with its docs, and the mock. Ctrl-C stops everything.

  --fresh     clear the embedded database first
  --demo      with DATABASE_URL: migrate that database and create a demo account in it
  --simulate  simulate ten shipments at a time while the service runs, and print their events
  --help      show this text

Environment: PORT (3000), MOCK_PORT (4010), WAYBILL_DATA_DIR (.waybill), DATABASE_URL (embedded PostgreSQL),
and the settings of the server: npx -y pnpm@12 waybill check --help
`;

// A closed output must not prevent an orderly shutdown of the children.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

await command({ usage, options: { fresh: flag, demo: flag, simulate: flag } }, async (options) => {
  if (options.fresh && process.env.DATABASE_URL)
    throw new UsageError('--fresh clears only the embedded database, but DATABASE_URL is set. Remove one of them.');
  if (options.simulate && process.env.DATABASE_URL && !options.demo)
    throw new UsageError(
      '--simulate needs the demo account, but DATABASE_URL is set. Add --demo to create the account there.',
    );
  const signal = stopSignal();
  await start(readSettings(process.env), options, signal).catch((error) => {
    if (!signal.aborted || error !== signal.reason) throw error;
  });
  console.error('Stopped.');
  return 0;
});
