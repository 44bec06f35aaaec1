#!/usr/bin/env node
/** The command `waybill-mock`. */
import { parseArgs } from 'node:util';

const usage = `Usage: waybill-mock [--port <number>] [--host <address>]

Returns the examples of the contract for every operation of Waybill's API.

  --port <number>   port (4010); 0 for a free port
  --host <address>  IP address or host name to listen on (127.0.0.1)
  --help            show this text

Any API key works: Authorization: Bearer wbk_mock
Select a response: Prefer: code=404, or Prefer: code=200, example=ShipmentDelivered
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
    throw new Error(`--port must be a number from 0 to 65535, not '${values.port}'`);
  }
  return { ...values, port: Number(values.port) };
}

/** Sets exit code 1 when it cannot listen; stops on SIGINT and SIGTERM. */
async function run({ port, host }: Settings): Promise<void> {
  try {
    const { startMock } = await import('./mock.ts'); // not needed for --help and usage errors
    const mock = await startMock({ port, host });
    console.log(`Waybill's mock listens on ${mock.url}`);
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void mock.close());
  } catch (error) {
    const isInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    console.error(
      isInUse
        ? `Port ${port} is in use. Choose another with --port.`
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
