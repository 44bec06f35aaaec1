import { parseArgs } from 'node:util';
import { readSettings } from './settings.ts';
import { start } from './start.ts';
import { stopSignal } from './stop.ts';

const usage = `Usage: npx -y pnpm@12 start [--fresh] [--demo] [--simulate]

Starts PostgreSQL, the service with its docs, and the mock. Ctrl-C stops everything.

  --fresh     clear the embedded database first
  --demo      with DATABASE_URL: migrate that database and create a demo account in it
  --simulate  simulate ten shipments at a time while the service runs
  --help      show this text

Environment: PORT (3000), MOCK_PORT (4010), WAYBILL_DATA_DIR (.waybill), DATABASE_URL (embedded PostgreSQL),
and the settings of the server: npx -y pnpm@12 waybill check --help
`;

// A closed output must not prevent an orderly shutdown of the children.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exit(await main());

/** @returns the exit code: 0 after a requested stop, 2 for a usage error, else 1 */
async function main(): Promise<number> {
  let options: { fresh: boolean; demo: boolean; simulate: boolean; help: boolean };
  try {
    options = readOptions();
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${usage}`);
    return 2;
  }
  if (options.help) {
    console.log(usage);
    return 0;
  }
  const signal = stopSignal();
  try {
    await start(readSettings(process.env), options, signal);
  } catch (error) {
    if (!(signal.aborted && error === signal.reason)) {
      console.error(messageOf(error));
      return 1;
    }
    console.error('Stopped.');
  }
  return 0;
}

function readOptions() {
  const flag = { type: 'boolean', default: false } as const;
  // `pnpm start -- --fresh` passes the dashes on.
  const args = process.argv.slice(2).filter((arg) => arg !== '--');
  const { values } = parseArgs({
    args,
    options: { fresh: flag, demo: flag, simulate: flag, help: { ...flag, short: 'h' } },
  });
  if (values.fresh && process.env.DATABASE_URL)
    throw new Error('--fresh clears only the embedded database, but DATABASE_URL is set. Remove one of them.');
  if (values.simulate && process.env.DATABASE_URL && !values.demo)
    throw new Error(
      '--simulate needs the demo account, but DATABASE_URL is set. Add --demo to create the account there.',
    );
  return values;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
