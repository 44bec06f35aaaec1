import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { basename } from 'node:path';
import { startEnvironment } from '../chaos/environment.ts';
import { type Comparison, compare } from './compare.ts';
import { describeDatabase, fillDatabase, sample } from './data-set.ts';
import { runLoad } from './load-generator.ts';
import { type OperationName, operations } from './operations.ts';
import { chart, page } from './page.ts';
import { checkResponses, startPeers } from './servers.ts';
import { table } from './table.ts';

interface Options {
  /** Part of the names of the operations that are compared with peers. */
  only?: string | undefined;
  connections: number[];
  seconds: number;
  rounds: number;
  /** Size of the data set. */
  shipments: number;
  /** The file of the Markdown page. */
  page?: string | undefined;
}

/** Fills a database, and measures the service there, with everything on, alternately with servers written by hand. */
export async function measurePeers(options: Options, signal: AbortSignal): Promise<void> {
  const { only = '', connections: connectionCounts, seconds, rounds, shipments } = options;
  const loadBefore = loadavg()[0]?.toFixed(1);
  await using environment = await startEnvironment({ LOG_LEVEL: 'info', NODE_ENV: 'production' }, signal);
  const { databaseUrl, accountId } = environment;
  const start = performance.now();
  await fillDatabase(databaseUrl, shipments, signal);
  const intro = `${availableParallelism()} cores, load average ${loadBefore} before the start, ${await describeDatabase(databaseUrl)}.
${shipments} shipments of 4 accounts. Load from wrk. ${rounds} rounds of ${seconds} s.`;
  console.log(`${intro}\nMade in ${((performance.now() - start) / 1000).toFixed()} s.`);

  const numbers = await sample(databaseUrl, accountId, `status = 'in_transit'`);
  const plan = { seconds, rounds, postgres: environment.postgres?.pid() ?? 0, signal };
  const comparisons: Comparison[] = [];
  const names = Object.keys(operations) as OperationName[];
  for (const operation of names.filter((name) => name.includes(only))) {
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
  if (options.page !== undefined) {
    const picture = options.page.replace(/(\.md)?$/, '.svg');
    await writeFile(picture, chart(comparisons));
    await writeFile(options.page, page(intro, comparisons, basename(picture)));
  }
}
