#!/usr/bin/env node
/** The command `waybill-mock`. */
import { parseArgs } from 'node:util';

const usage = `Usage: waybill-mock [--port <number>] [--host <address>]

Answers every operation of Waybill's API with the contract's examples.

  --port <number>   where to listen, 4010 by default; 0 takes a free port
  --host <address>  127.0.0.1 by default
  --help            this text

Send any key: Authorization: Bearer wbk_mock
Choose an answer: Prefer: code=404, or Prefer: code=200, example=ShipmentDelivered
`;

interface Settings {
  help: boolean;
  port: number;
  host: string;
}

function readSettings(): Settings {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      port: { type: 'string', default: '4010' },
      host: { type: 'string', default: '127.0.0.1' },
    },
  });
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
    throw new Error(`--port takes a number from 0 to 65535, not '${values.port}'`);
  }
  return { ...values, port: Number(values.port) };
}

/** Exits with 1 when it cannot listen; stops cleanly on SIGINT and SIGTERM. */
async function run({ port, host }: Settings): Promise<void> {
  try {
    const { startMock } = await import('./mock.ts'); // help and errors of usage need none of it
    const mock = await startMock({ port, host });
    console.log(`Waybill's mock listens on ${mock.url}`);
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void mock.close());
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    console.error(
      taken
        ? `Port ${port} is taken; choose another with --port.`
        : `The mock cannot listen on ${host}: ${error instanceof Error ? error.message : error}`,
    );
    process.exitCode = 1;
  }
}

try {
  const settings = readSettings();
  if (settings.help) console.log(usage);
  else await run(settings);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  process.exitCode = 2;
}
