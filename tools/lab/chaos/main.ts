import { command, flag, numberFrom, seedFrom, UsageError } from '@waybill/sandbox/processes/command-line';
import { stopSignal } from '@waybill/sandbox/processes/stop';
import { startEnvironment } from './environment.ts';
import { type Fault, faults } from './faults.ts';
import usage from './main.usage.json' with { type: 'json' };
import { missing, type Need } from './needs.ts';
import { chaosSettings, runChaos } from './run.ts';

/**
 * The limits of a request and of the recovery, in milliseconds. A request with a key takes 5.5 seconds at most. A cluster takes
 * more of this machine than it has.
 */
const [limit, clusterLimit] = [6000, 20_000] as const;
/** The default of 100 takes long to use up. */
const fewConnections = { max_connections: '30' };

const signal = stopSignal();
const options = {
  cluster: flag,
  faults: { type: 'string' },
  rounds: { type: 'string' },
  shipments: { type: 'string', default: '48' },
  seed: { type: 'string' },
  list: flag,
} as const;
await command({ usage, options, signal }, async ({ cluster: isCluster, list, ...values }) => {
  if (list) {
    for (const [name, { text }] of Object.entries(faults)) console.log(`${name.padEnd(20)} ${text}`);
    return 0;
  }
  const names = values.faults?.split(',') ?? Object.keys(faults);
  const chosen: Record<string, Fault> = {};
  const needs = new Set<Need>();
  for (const name of names) {
    const fault = faults[name];
    if (!fault) throw new UsageError(`--faults must name ${Object.keys(faults).join(', ')}, not '${name}'`);
    const reasons = await Promise.all((fault.needs ?? []).map((need) => missing(need, isCluster)));
    const reason = reasons.find((each) => each !== undefined);
    if (reason !== undefined) {
      console.log(`${name} is skipped: ${reason}`);
      continue;
    }
    chosen[name] = fault;
    for (const need of fault.needs ?? []) needs.add(need);
  }
  const count = Object.keys(chosen).length;
  if (count === 0) return 0;
  const limits = {
    rounds: numberFrom('rounds', values.rounds ?? String(count), 1, 10_000),
    shipments: numberFrom('shipments', values.shipments, 1, 1_000),
    seed: seedFrom(values.seed),
    limit: isCluster ? clusterLimit : limit,
  };
  await using environment = await startEnvironment(
    {
      ...chaosSettings,
      ...(isCluster && { DATABASE_TIMEOUT_MS: '15000', DRAIN_MS: '5000', SHUTDOWN_TIMEOUT_MS: '60000' }),
    },
    signal,
    { isCluster, needs: [...needs], ...(!isCluster && { postgresSettings: fewConnections }) },
  );
  return (await runChaos(environment, chosen, limits)).length > 0 ? 1 : 0;
});
