#!/usr/bin/env node
/** The command `waybill-mock`. */
import { parseArgs } from 'node:util';
import type { MockOptions } from './mock.ts';

const usage = `Usage: waybill-mock [options]

Returns the examples of the contract for every operation of Waybill's API, and refuses the requests that the service
refuses.

  --port <number>    port (4010); 0 for a free port
  --host <address>   IP address or host name to listen on (127.0.0.1)
  --stateful         store what requests change: a created shipment can be read, listed and delivered
  --delay <ms>       delay every response: 300, or 200-800 for a random delay
  --errors <share>   share of requests that return 429, 500 or 503: 5%
  --quiet            print no line per request to stderr
  --help             show this text

Examples:
  waybill-mock --stateful --delay 200-800 --errors 5%
  curl http://localhost:4010/v1/shipments?status=delivered -H 'Authorization: Bearer wbk_mock'
  curl http://localhost:4010/v1/shipments?__code=503 -H 'Authorization: Bearer wbk_mock'
  curl http://localhost:4010/v1/tracking/FRT-2026-000142 -H 'Authorization: Bearer wbk_mock' \\
    -H 'Prefer: code=200, example=TrackingDelivered'

Any API key works.
`;

type Settings = MockOptions & { help: boolean; port: number; host: string };

/** @throws for unknown options and invalid values */
function readSettings(): Settings {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      port: { type: 'string', default: '4010' },
      host: { type: 'string', default: '127.0.0.1' },
      stateful: { type: 'boolean', default: false },
      delay: { type: 'string', default: '0' },
      errors: { type: 'string', default: '0%' },
      quiet: { type: 'boolean', default: false },
    },
  });
  const { help, port, host, stateful, delay, errors, quiet } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`--port must be a number from 0 to 65535, not '${port}'`);
  }
  const log = quiet ? undefined : (line: string) => console.error(line);
  return { help, port: Number(port), host, stateful, delay: delayOf(delay), errors: shareOf(errors), log };
}

function delayOf(text: string): [number, number] {
  const [, least = '', most = least] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  if (least !== '' && Number(least) <= Number(most)) return [Number(least), Number(most)];
  throw new Error(`--delay must be milliseconds, such as 300 or 200-800, not '${text}'`);
}

function shareOf(text: string): number {
  const [, percent = '101'] = /^(\d{1,3}(?:\.\d+)?)%$/.exec(text) ?? [];
  if (Number(percent) <= 100) return Number(percent) / 100;
  throw new Error(`--errors must be a percentage from 0% to 100%, not '${text}'`);
}

/** Sets exit code 1 when it cannot listen; stops on SIGINT and SIGTERM. */
async function run(settings: Settings): Promise<void> {
  const { port, host } = settings;
  try {
    const { startMock } = await import('./mock.ts'); // not needed for --help and usage errors
    const mock = await startMock(settings);
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
