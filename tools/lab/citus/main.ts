import { once } from 'node:events';
import { command, numberFrom, seedFrom, UsageError } from '@waybill/sandbox/processes/command-line';
import { stopSignal } from '@waybill/sandbox/processes/stop';
import { launch } from '../../child.ts';
import { startEnvironment } from '../chaos/environment.ts';
import { chaosSettings, runChaos } from '../chaos/run.ts';
import { installCitus } from './build.ts';
import { citusNodes, createDatabase } from './create-database.ts';
import { citusFaults } from './faults.ts';
import usage from './main.usage.json' with { type: 'json' };
import { startNodes } from './nodes.ts';

/** The tests that use the database in a way that Citus could prevent. Those of `account-queries` read plans of PostgreSQL. */
const paths = [
  'api/api-keys',
  'api/every-operation/',
  'api/files/',
  'api/idempotency/',
  'api/pagination',
  'api/positions/',
  'api/proof/',
  'api/shipments/',
  'events/',
  'operate/citus/',
  'operate/fairness/',
  'operate/jobs/',
  'webhooks/',
];
/** Milliseconds in which every request ends, and in which the service recovers. Three servers take more than most machines have. */
const limit = 20_000;

const stop = stopSignal();
const options = { source: { type: 'string' }, rounds: { type: 'string' }, seed: { type: 'string' } } as const;
await command({ usage, options, signal: stop, allowPositionals: true }, async ({ source, ...values }, chosen) => {
  const rounds = values.rounds === undefined ? undefined : numberFrom('rounds', values.rounds, 1, 10_000);
  const seed = seedFrom(values.seed);
  const failure = new AbortController();
  const signal = AbortSignal.any([stop, failure.signal]);
  const fail = (error: unknown): void => failure.abort(error);
  await using started = source === undefined ? undefined : await startNodes(await installCitus(source, signal), fail);
  const url = started?.url ?? process.env.TEST_DATABASE_URL;
  if (!url) throw new UsageError('No Citus: pass --source <folder>, or set TEST_DATABASE_URL.');
  await expectNodes(url);
  const testsPassed = await runTests(chosen.length > 0 ? chosen : paths, url, signal);

  await using stack = new AsyncDisposableStack();
  const database = await createDatabase(url);
  stack.defer(() => database.drop({ force: true }));
  const settings = { ...chaosSettings, DATABASE_TIMEOUT_MS: '15000' };
  const environment = stack.use(await startEnvironment(settings, signal, { citus: database.url }));
  const faults = await citusFaults(environment, started?.nodes ?? []);
  const all = { rounds: rounds ?? Object.keys(faults).length, shipments: 16, seed, limit };
  const findings = await runChaos(environment, faults, all);
  return testsPassed && findings.length === 0 ? 0 : 1;
});

/** Runs tests on a Citus. @param paths parts of the paths of test files @returns whether all passed */
async function runTests(paths: string[], url: string, signal: AbortSignal): Promise<boolean> {
  // Databases are slow to create: more workers would only wait for each other.
  const vitest = ['pnpm', 'test:only', '--maxWorkers=2', ...paths];
  const child = launch(vitest, {
    env: { TEST_DATABASE_URL: url },
    stdio: ['ignore', 'inherit', 'inherit'],
    group: true,
  });
  const end = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  const [code] = await once(child, 'exit');
  signal.removeEventListener('abort', end);
  signal.throwIfAborted();
  return code === 0;
}

/** The tests create their databases on these nodes. Without them, they would run on plain PostgreSQL. */
async function expectNodes(url: string): Promise<void> {
  const groups = (await citusNodes(url)).map(({ groupid }) => groupid);
  if (groups[0] === 0 && groups.length > 1) return;
  const { host, pathname } = new URL(url);
  throw new Error(
    `The database ${pathname.slice(1)} on ${host} is not that of a Citus coordinator with workers. Run \`create extension citus\` in it, \`select citus_set_coordinator_host('…')\`, and \`select citus_add_node('…', 5432)\` for each worker.`,
  );
}
