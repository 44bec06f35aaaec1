import { parseArgs } from 'node:util';
import { readSettings } from './settings.ts';
import { start } from './start.ts';
import { stopSignal } from './stop.ts';

const usage = `Usage: npx -y pnpm@12 start [--fresh] [--demo] [--simulate]

Starts Waybill: PostgreSQL, the service with its docs, and the mock. Ctrl-C stops them all.

  --fresh     clear the embedded database first, and nothing else
  --demo      with DATABASE_URL: migrate that database and make a demo account in it
  --simulate  drive a few shipments through their life, again and again
  --help      this text

Environment: PORT (3000), MOCK_PORT (4010), WAYBILL_DATA_DIR (.waybill), DATABASE_URL (the embedded PostgreSQL),
and all settings of the server: node packages/server/src/main.ts check --help
`;

// A reader that is gone must not keep the children from being stopped in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exit(await main());

/** 0 after a stop that was asked for, 2 for a mistake in the command line, else 1. */
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
  // `pnpm start -- --fresh` arrives with the dashes.
  const args = process.argv.slice(2).filter((arg) => arg !== '--');
  const { values } = parseArgs({
    args,
    options: { fresh: flag, demo: flag, simulate: flag, help: { ...flag, short: 'h' } },
  });
  if (values.fresh && process.env.DATABASE_URL)
    throw new Error(
      '--fresh clears the embedded database only, and DATABASE_URL names another: leave one of them out.',
    );
  if (values.simulate && process.env.DATABASE_URL && !values.demo)
    throw new Error('--simulate needs the demo account, and DATABASE_URL names a database of yours: add --demo.');
  return values;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
