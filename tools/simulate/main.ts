import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ClientOptions } from '@waybill/client';
import { command, numberFrom } from '../command-line.ts';
import { demoFile } from '../start/demo-account.ts';
import { root } from '../start/settings.ts';
import { showProgress, summary } from './progress.ts';
import { simulate } from './simulate.ts';
import { newTally } from './tally.ts';

const usage = `Usage: npx -y pnpm@12 simulate [--shipments <n>] [--speed <n>] [--seed <n>] [--endless]

Simulates shippers and carriers against the service that \`npx -y pnpm@12 start\` runs.

  --shipments <n>   shipments at a time (50)
  --speed <n>       simulated seconds per second (60)
  --seed <n>        repeats the random choices of an earlier run; random by default
  --endless         create new shipments until Ctrl-C
  --help            show this text

Environment: WAYBILL_DATA_DIR (.waybill), the folder with the demo.json of the service
`;

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());

await command(usage, stop.signal, async () => {
  // `pnpm simulate -- --speed 60` passes the dashes on.
  const args = process.argv.slice(2).filter((arg) => arg !== '--');
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = { shipments: text, speed: text, seed: text, endless: flag, help: { ...flag, short: 'h' } };
  const { shipments = '50', speed = '60', seed, endless, help } = parseArgs({ args, options }).values;
  const plan = {
    shipments: numberFrom('shipments', shipments, 1, 10_000),
    speed: numberFrom('speed', speed, 1, 100_000, false),
    seed: seed === undefined ? Math.floor(Math.random() * 2 ** 32) : numberFrom('seed', seed, 0, 2 ** 32 - 1),
    endless,
  };
  if (help) {
    console.log(usage);
    return 0;
  }
  const service = await readService(resolve(root, process.env.WAYBILL_DATA_DIR || '.waybill'));
  const tally = newTally();
  console.log(`${plan.shipments} shipments at ${plan.speed} times real time, seed ${plan.seed}. Press Ctrl-C to stop.`);
  const stopProgress = showProgress(tally, process.stdout);
  await simulate({ ...service, ...plan, tally, signal: stop.signal }).finally(stopProgress);
  console.log(summary(tally));
  return tally.errors.size > 0 ? 1 : 0;
});

/** Reads the URL and the demo keys of the running service. */
async function readService(dataDir: string): Promise<{ shipper: ClientOptions; carrier: ClientOptions }> {
  const file = demoFile({ dataDir });
  try {
    const { base_url: baseUrl, api_key, carrier_api_key } = JSON.parse(await readFile(file, 'utf8'));
    return { shipper: { baseUrl, apiKey: api_key }, carrier: { baseUrl, apiKey: carrier_api_key } };
  } catch (cause) {
    throw new Error(`Cannot read ${file}. Start Waybill first: npx -y pnpm@12 start`, { cause });
  }
}
