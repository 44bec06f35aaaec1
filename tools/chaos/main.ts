import { startClusterEnvironment } from '../cluster/environment.ts';
import { clusterOutages } from '../cluster/outages.ts';
import { command, flag, numberFrom, seedFrom } from '../command-line.ts';
import { stopSignal } from '../start/stop.ts';
import { startEnvironment } from './environment.ts';
import { kills } from './outages.ts';
import { chaosSettings, runChaos } from './run.ts';

const usage = `Usage: npx -y pnpm@12 chaos [--cluster] [--rounds <n>] [--shipments <n>] [--seed <n>]

Starts a server and a PostgreSQL, and kills and restarts them (kill -9) while simulated clients write. Checks that every
acknowledged write happened exactly once, and that repeating every request changes nothing.

  --cluster         two instances behind a proxy, with PgBouncer and Redis, and rolling restarts
  --rounds <n>      number of outages (20)
  --shipments <n>   shipments at a time (96)
  --seed <n>        repeats the random choices of an earlier run; random by default
  --help            show this text
`;

const signal = stopSignal();
const options = {
  cluster: flag,
  rounds: { type: 'string', default: '20' },
  shipments: { type: 'string', default: '96' },
  seed: { type: 'string' },
} as const;
await command({ usage, options, signal }, async (values) => {
  const limits = {
    rounds: numberFrom('rounds', values.rounds, 1, 10_000),
    shipments: numberFrom('shipments', values.shipments, 1, 1_000),
    seed: seedFrom(values.seed),
  };
  if (values.cluster) {
    await using cluster = await startClusterEnvironment(chaosSettings, signal);
    const { findings } = await runChaos(cluster, clusterOutages(cluster), limits);
    return findings > 0 ? 1 : 0;
  }
  await using environment = await startEnvironment(chaosSettings, signal);
  const { findings } = await runChaos(environment, kills(environment), limits);
  return findings > 0 ? 1 : 0;
});
