import { availableParallelism, loadavg } from 'node:os';
import { startEnvironment } from '../chaos/environment.ts';
import { command, numberFrom, UsageError } from '../command-line.ts';
import { stopSignal } from '../start/stop.ts';
import { compare, printComparison } from './compare.ts';
import { accountOf, fillDatabase, sample } from './data-set.ts';
import { operations, startPeers } from './peers.ts';
import { templateOf } from './requests.ts';
import { measureRetryBurst } from './retry-burst.ts';

const parts = [...operations, 'retries'] as const;
/** Of reads during the burst of retries, in milliseconds. */
const maxLatency = 100;

const usage = `Usage: npx -y pnpm@12 bench [--only <parts>] [--connections <list>] [--seconds <n>] [--rounds <n>] [--shipments <n>]

Compares the service with servers written by hand (tools/bench/peers) on one PostgreSQL on this machine. Needs wrk.

  --only <parts>         comma-separated: ${parts.join(', ')} (all)
  --connections <list>   concurrent connections (1,8,64)
  --seconds <n>          of each measurement (5)
  --rounds <n>           measurements of each server, of which the median is printed (3)
  --shipments <n>        size of the data set (500000)
  --help                 show this text
`;

const signal = stopSignal();
const text = (value: string) => ({ type: 'string', default: value }) as const;
const options = {
  only: text(parts.join()),
  connections: text('1,8,64'),
  seconds: text('5'),
  rounds: text('3'),
  shipments: text('500000'),
};
await command({ usage, options, signal }, async (values) => {
  const only = values.only.split(',');
  const unknown = only.find((name) => !parts.some((part) => part === name));
  if (unknown !== undefined) throw new UsageError(`--only must name ${parts.join(', ')}, not '${unknown}'`);
  const connectionCounts = values.connections.split(',').map((each) => numberFrom('connections', each, 1, 1000));
  const seconds = numberFrom('seconds', values.seconds, 1, 3600);
  const rounds = numberFrom('rounds', values.rounds, 1, 100);
  const shipments = numberFrom('shipments', values.shipments, 1000, 100_000_000);

  const environment = await startEnvironment({ LOG_LEVEL: 'info', NODE_ENV: 'production' }, signal);
  await using stack = new AsyncDisposableStack();
  stack.use(environment);
  const start = performance.now();
  await fillDatabase(environment.databaseUrl, shipments, signal);
  const fillTime = ((performance.now() - start) / 1000).toFixed(0);
  console.log(
    `${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)}, ${shipments} shipments (made in ${fillTime} s)`,
  );
  const { databaseUrl, shipper } = environment;
  const accountId = await accountOf(databaseUrl, shipper.apiKey);
  const [service = 0] = await environment.pids('server');
  const [postgres = 0] = await environment.pids('PostgreSQL');
  for (const operation of operations.filter((each) => only.includes(each))) {
    await using peerStack = new AsyncDisposableStack();
    const peers = await startPeers(environment, operation, accountId, peerStack);
    const servers = [{ name: 'Waybill', origin: new URL(shipper.baseUrl).origin, pid: service }, ...peers];
    const numbers = await sample(databaseUrl, accountId, 'tracking_number', `status = 'in_transit'`);
    const template = templateOf(operation, environment, numbers);
    for (const connections of connectionCounts)
      printComparison(operation, await compare(servers, template, { connections, seconds, rounds, postgres, signal }));
  }
  const numbers = await sample(databaseUrl, accountId, 'tracking_number');
  const passed = !only.includes('retries') || (await measureRetryBurst(environment, numbers, maxLatency));
  return passed ? 0 : 1;
});
