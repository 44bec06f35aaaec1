import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { startEnvironment } from '../chaos/environment.ts';
import { command, numberFrom, UsageError } from '../command-line.ts';
import { stopSignal } from '../start/stop.ts';
import { type Comparison, compare } from './compare.ts';
import { describeDatabase, fillDatabase, sample } from './data-set.ts';
import { measureIsolation, measureScale } from './latencies.ts';
import { hasWrk, runLoad } from './load-generator.ts';
import { type OperationName, operations } from './operations.ts';
import { page } from './page.ts';
import { measureRetries } from './retries.ts';
import { checkResponses, startPeers } from './servers.ts';
import { table } from './table.ts';
import { measureTelemetry } from './telemetry.ts';

const names = Object.keys(operations) as OperationName[];
const parts = [...names, 'isolation', 'scale', 'retries', 'telemetry'];
const byDefault = parts.filter((part) => part !== 'scale' && part !== 'telemetry');

const usage = `Usage: npx -y pnpm@12 bench [option …]

Measures the service with everything on, alternately with servers written by hand (tools/bench/peers), on one PostgreSQL
on this machine. Prints medians, CPU time per request, and the ratios of the service to each of the others.

  --only <parts>         comma-separated: ${parts.join(', ')}
                         (default: all but scale and telemetry)
  --connections <list>   concurrent connections (1,8,64)
  --seconds <n>          of each measurement (5)
  --rounds <n>           measurements of each server (3)
  --shipments <n>        size of the data set (500000)
  --page <file>          write the comparison as a Markdown page with charts
  --help                 show this text
`;

const signal = stopSignal();
const text = (value: string) => ({ type: 'string', default: value }) as const;
const options = {
  only: text(byDefault.join()),
  connections: text('1,8,64'),
  seconds: text('5'),
  rounds: text('3'),
  shipments: text('500000'),
  page: { type: 'string' },
} as const;
await command({ usage, options, signal }, async (values) => {
  const only = values.only.split(',');
  const unknown = only.find((part) => !parts.includes(part));
  if (unknown !== undefined) throw new UsageError(`--only must name ${parts.join(', ')}, not '${unknown}'`);
  const connectionCounts = values.connections.split(',').map((count) => numberFrom('connections', count, 1, 1000));
  const seconds = numberFrom('seconds', values.seconds, 1, 3600);
  const rounds = numberFrom('rounds', values.rounds, 1, 100);
  const shipments = numberFrom('shipments', values.shipments, 1000, 100_000_000);

  const loadBefore = loadavg()[0]?.toFixed(1);
  await using environment = await startEnvironment({ LOG_LEVEL: 'info', NODE_ENV: 'production' }, signal);
  const { databaseUrl, accountId } = environment;
  const reader = await environment.createAccount();
  const start = performance.now();
  await fillDatabase(databaseUrl, shipments, signal);
  const intro = `${availableParallelism()} cores, load average ${loadBefore} before the start, ${await describeDatabase(databaseUrl)}.
${shipments} shipments of 4 accounts. Load from ${hasWrk ? 'wrk' : 'undici, because wrk is not installed'}. ${rounds} rounds of ${seconds} s.`;
  console.log(`${intro}\nMade in ${((performance.now() - start) / 1000).toFixed()} s.`);

  const numbers = await sample(databaseUrl, accountId, 'tracking_number', `status = 'in_transit'`);
  const postgres = environment.postgres.pid();
  const plan = { seconds, rounds, postgres, signal };
  const comparisons: Comparison[] = [];
  for (const operation of names.filter((name) => only.includes(name))) {
    await using stack = new AsyncDisposableStack();
    const servers = await startPeers(environment, operations[operation], stack);
    const template = operations[operation].template(environment, numbers);
    await checkResponses(servers, template, operations[operation]);
    for (const { origin } of servers) await runLoad(origin, template, 8, 3, signal); // until V8 has compiled the code
    for (const connections of connectionCounts) {
      const medians = await compare(servers, template, connections, plan);
      const comparison = { operation, connections, load: loadavg()[0] ?? Number.NaN, servers: medians };
      comparisons.push(comparison);
      console.log(`\n${table(comparison)}`);
    }
  }
  if (values.page !== undefined) await writeFile(values.page, page(intro, comparisons));
  if (only.includes('isolation')) await measureIsolation(environment, reader, seconds);
  if (only.includes('scale')) await measureScale(environment, plan);
  if (only.includes('telemetry')) await measureTelemetry(environment, numbers, Math.max(...connectionCounts), plan);
  const reads = operations.getTracking.template(environment, numbers);
  return only.includes('retries') && !(await measureRetries(environment, reads)) ? 1 : 0;
});
