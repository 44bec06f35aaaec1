import { loadavg } from 'node:os';
import { query } from '@waybill/sandbox/postgres/client';
import { startEnvironment } from '../chaos/environment.ts';
import { compare } from './compare.ts';
import { fillDatabase, sample } from './data-set.ts';
import { runLoad } from './load-generator.ts';
import { operations } from './operations.ts';
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
}

const load = (): string => (loadavg()[0] ?? Number.NaN).toFixed(1);

/** Fills a database, and measures the service there, with everything on, alternately with servers written by hand. */
export async function measurePeers(options: Options, signal: AbortSignal): Promise<string> {
  const { only = '', connections, seconds, rounds, shipments } = options;
  await using environment = await startEnvironment({ LOG_LEVEL: 'info', NODE_ENV: 'production' }, signal);
  const { databaseUrl, accountId } = environment;
  await fillDatabase(databaseUrl, shipments, signal);
  const intro = `${await describeDatabase(databaseUrl)}, ${shipments} shipments of 4 accounts. Load from wrk. ${rounds} rounds of ${seconds} s.
The tables show medians, and in parentheses the lowest and the highest.`;
  console.log(intro);
  const numbers = await sample(databaseUrl, accountId);
  const plan = { seconds, rounds, postgres: environment.postgres?.pid() ?? 0, signal };
  const sections = [`${intro}\n`];
  for (const [name, operation] of Object.entries(operations).filter(([name]) => name.includes(only))) {
    await using stack = new AsyncDisposableStack();
    const servers = await startPeers(environment, operation, stack);
    const template = await operation.template(environment, numbers);
    await checkResponses(servers, template, operation);
    for (const { origin } of servers) await runLoad(origin, template, 8, 3, signal); // until V8 has compiled the code
    for (const count of connections) {
      const figures = await compare(servers, template, count, plan);
      const rows = servers.map((server, index) => ({ name: server.name, rounds: figures[index] ?? [] }));
      const text = table(`${name} × ${count} (load ${load()})`, rows);
      console.log(`\n${text}`);
      sections.push(`## ${name}, ${count} connection${count === 1 ? '' : 's'}\n\n${text}\n`);
    }
  }
  return sections.join('\n');
}

/** The version of PostgreSQL, and the settings that decide whether a commit waits for the disk. */
async function describeDatabase(databaseUrl: string): Promise<string> {
  const names = ['server_version', 'fsync', 'synchronous_commit', 'shared_buffers'];
  const settings = names.map((name) => `current_setting('${name}') as ${name}`);
  const [row] = await query(databaseUrl, `select ${settings}`);
  return `PostgreSQL ${names.map((name) => `${name} ${row?.[name]}`).join(', ')}`;
}
