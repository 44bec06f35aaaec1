import { resolve } from 'node:path';
import type { ClientOptions } from '@waybill/client';
import { demoFile, readDemoFile } from '../demo/demo-file.ts';
import { command, flag, numberFrom, seedFrom } from '../processes/command-line.ts';
import usage from './main.usage.json' with { type: 'json' };
import { showProgress, summary } from './progress.ts';
import { simulate } from './simulate.ts';
import { Tally } from './tally.ts';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());

const options = {
  shipments: { type: 'string', default: '50' },
  speed: { type: 'string', default: '60' },
  seed: { type: 'string' },
  endless: flag,
} as const;
await command({ usage, options, signal: stop.signal }, async (values) => {
  const plan = {
    shipments: numberFrom('shipments', values.shipments, 1, 10_000),
    speed: numberFrom('speed', values.speed, 1, 100_000, false),
    seed: seedFrom(values.seed),
    endless: values.endless,
  };
  const service = await readService(resolve(process.env.WAYBILL_DATA_DIR || '.waybill'));
  const tally = new Tally();
  console.log(`${plan.shipments} shipments at ${plan.speed} times real time, seed ${plan.seed}. Press Ctrl-C to stop.`);
  const stopProgress = showProgress(tally, process.stdout);
  await simulate({ ...service, ...plan, tally, signal: stop.signal }).finally(stopProgress);
  console.log(summary(tally));
  return tally.errors.size > 0 ? 1 : 0;
});

/** Reads the URL and the demo keys of the running service. */
async function readService(dataDir: string): Promise<{ shipper: ClientOptions; carrier: ClientOptions }> {
  const demo = await readDemoFile({ dataDir });
  if (!demo) throw new Error(`Cannot read ${demoFile({ dataDir })}. Start Waybill first: npx -y pnpm@12 start`);
  const { base_url: baseUrl, api_key, carrier_api_key } = demo;
  return { shipper: { baseUrl, apiKey: api_key }, carrier: { baseUrl, apiKey: carrier_api_key } };
}
