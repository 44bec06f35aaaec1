import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type ClientOptions, createClient } from '@waybill/client';
import { percentile } from '../bench/load.ts';
import { startEnvironment } from '../chaos/environment.ts';
import { command, numberFrom, UsageError } from '../command-line.ts';
import { createDemoAccount } from '../start/demo-account.ts';
import type { CommandContext } from '../start/programs.ts';
import { stopSignal } from '../start/stop.ts';
import { attacks, type Target } from './attack.ts';
import { type Reading, readSteadily } from './reader.ts';

const usage = `Usage: npx -y pnpm@12 attacks [--seconds <n>] [--only <name>]

Starts a server and a PostgreSQL on this machine, runs one attack at a time, and measures the reads of another account
meanwhile.

  --seconds <n>   length of each attack (10)
  --only <name>   run one attack: ${Object.keys(attacks).join('; ')}
  --help          show this text
`;

const signal = stopSignal();
const options = { seconds: { type: 'string', default: '10' }, only: { type: 'string' } } as const;
await command({ usage, options, signal }, async (values) => {
  const seconds = numberFrom('seconds', values.seconds, 1, 600);
  const names = Object.keys(attacks).filter((name) => values.only === undefined || name === values.only);
  if (names.length === 0) throw new UsageError(`Unknown attack '${values.only}'`);
  await using environment = await startEnvironment({ LOG_LEVEL: 'silent', RATE_LIMIT: '6000' }, signal);
  const reader = { ...environment.shipper, trackingNumber: await newShipment(environment.shipper) };
  const readerUrl = `${reader.baseUrl}/tracking/${reader.trackingNumber}`;
  const target = await newTarget(environment.commandContext, reader.baseUrl);
  const read = (): Promise<Reading> => readSteadily(readerUrl, reader.apiKey, seconds);

  await read(); // warm-up
  console.log(
    '| attack | reader p50 ms | p99 ms | longest ms | reader failures | attacker |\n|---|--:|--:|--:|---|---|',
  );
  print('none', await read(), {});
  for (const name of names) {
    signal.throwIfAborted();
    const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: { name, target } });
    await once(worker, 'online');
    const reading = await read();
    const ended = once(worker, 'message');
    worker.postMessage('stop');
    const [statuses] = await ended;
    await worker.terminate();
    print(name, reading, statuses);
    await setTimeout(1000); // until the queues of this attack are empty
  }
  return 0;
});

async function newShipment(party: ClientOptions): Promise<string> {
  const address = { address: '1420 Harbor Avenue SW', city: 'Seattle', state: 'WA', zip: '98126' };
  const pickup_window = { start: '2026-03-03T16:00:00Z', end: '2026-03-03T20:00:00Z' };
  const body = { type: 'freight', origin: address, destination: address, pickup_window } as const;
  return (await createClient(party).createShipment({ body })).data.tracking_number;
}

/** Creates the attacker's account, with a shipment that accepts positions and uploads. */
async function newTarget(context: CommandContext, baseUrl: string): Promise<Target> {
  const account = await createDemoAccount(context);
  const trackingNumber = await newShipment({ baseUrl, apiKey: account.api_key });
  const body = { status: 'dispatched', timestamp: new Date().toISOString() } as const;
  const carrier = createClient({ baseUrl, apiKey: account.carrier_api_key });
  await carrier.recordTrackingEvent({ path: { tracking_number: trackingNumber }, body });
  return { baseUrl, shipperKey: account.api_key, carrierKey: account.carrier_api_key, trackingNumber };
}

function print(name: string, { latencies, failures }: Reading, statuses: Record<string, number>): void {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(latencies, share).toFixed(1));
  const list = (counts: Record<string, number>): string =>
    Object.entries(counts)
      .map(([status, times]) => `${times} × ${status}`)
      .join(', ') || 'none';
  console.log(`| ${name} | ${p50} | ${p99} | ${max} | ${list(failures)} | ${list(statuses)} |`);
}
