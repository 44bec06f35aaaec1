import { parseArgs } from 'node:util';
import { command, numberFrom } from '../command-line.ts';
import { showProgress, summary } from './progress.ts';
import { runningService } from './service.ts';
import { simulate } from './simulate.ts';
import { newTally } from './tally.ts';

const usage = `Usage: npx -y pnpm@12 simulate [--shipments <n>] [--speed <n>] [--seed <n>] [--endless]

Drives shipments through their life against the service that \`npx -y pnpm@12 start\` runs.

  --shipments <n>   how many at once (50)
  --speed <n>       simulated seconds per second (60)
  --seed <n>        plays the same trips again; a random one by default
  --endless         go on with new shipments until Ctrl-C
  --help            this text

Environment: WAYBILL_DATA_DIR (.waybill), where the service's demo.json is
`;

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());

await command(usage, stop.signal, async () => {
  // `pnpm simulate -- --speed 60` arrives with the dashes.
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
  const service = await runningService(process.env);
  const tally = newTally();
  console.log(`${plan.shipments} shipments at ${plan.speed} times real time, seed ${plan.seed}. Ctrl-C stops.`);
  const hide = showProgress(tally, process.stdout);
  await simulate({ ...service, ...plan, tally, signal: stop.signal }).finally(hide);
  console.log(summary(tally));
  return tally.faults.size > 0 ? 1 : 0;
});
