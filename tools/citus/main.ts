import { chaosSettings, runChaos } from '../chaos/run.ts';
import { runSuites, suiteTable } from '../cluster/suites.ts';
import { command, numberFrom, seedFrom, UsageError } from '../command-line.ts';
import { citusNodes } from '../postgres/create-database.ts';
import { stopSignal } from '../start/stop.ts';
import { installCitus } from './build.ts';
import { startCitusEnvironment } from './environment.ts';
import { startNodes } from './nodes.ts';
import { citusOutages } from './outages.ts';

const usage = `Usage: npx -y pnpm@12 test:citus [--source <folder>] [--rounds <n>] [--seed <n>] [<path> …]

Runs the tests of what uses the database on a Citus. Then ends sessions and nodes of it while simulated clients write, and
checks that nothing is lost. Without --source it needs a running Citus: set TEST_DATABASE_URL to a superuser of the
coordinator, which must know itself and its workers as nodes.

  <path>             runs only test files whose path contains this text
  --source <folder>  builds and installs this source of Citus, and starts a coordinator and two workers. It needs a C
                     compiler, make, flex, the header files of PostgreSQL and of its libraries, and mostly root
  --rounds <n>       number of outages (14)
  --seed <n>         repeats the random choices of an earlier run; random by default
  --help             show this text
`;

/** The folders whose tests use the database in a way that Citus could prevent. */
const folders = [
  'account-queries',
  'api-keys',
  'citus',
  'every-operation',
  'events',
  'fairness',
  'files',
  'idempotency',
  'jobs',
  'pagination',
  'positions',
  'proof',
  'shipments',
  'webhooks',
].map((folder) => `/test/${folder}/`);

const signal = stopSignal();
const options = {
  source: { type: 'string' },
  rounds: { type: 'string', default: '14' },
  seed: { type: 'string' },
} as const;
await command({ usage, options, signal, allowPositionals: true }, async ({ source, ...values }, paths) => {
  const limits = {
    rounds: numberFrom('rounds', values.rounds, 1, 10_000),
    shipments: 16,
    seed: seedFrom(values.seed),
  };
  await using started = source === undefined ? undefined : await startNodes(await installCitus(source, signal));
  const url = started?.url ?? process.env.TEST_DATABASE_URL;
  if (!url) throw new UsageError('No Citus: pass --source <folder>, or set TEST_DATABASE_URL.');
  await expectNodes(url);
  const suites = await runSuites(paths.length > 0 ? paths : folders, { TEST_DATABASE_URL: url }, signal);
  await using environment = await startCitusEnvironment(url, chaosSettings, signal);
  const outages = await citusOutages(environment, started?.nodes ?? []);
  const { findings } = await runChaos(environment, outages, limits);
  console.log(`\n${suiteTable(suites)}`);
  return findings > 0 || suites.some(({ failed }) => failed > 0) ? 1 : 0;
});

/** The tests create their databases on these nodes. Without them, they would run on plain PostgreSQL. */
async function expectNodes(url: string): Promise<void> {
  const groups = (await citusNodes(url)).map(({ groupid }) => groupid);
  if (groups[0] === 0 && groups.length > 1) return;
  const { host, pathname } = new URL(url);
  throw new Error(
    `The database ${pathname.slice(1)} on ${host} is not that of a Citus coordinator with workers. Run \`create extension citus\` in it, \`select citus_set_coordinator_host('…')\`, and \`select citus_add_node('…', 5432)\` for each worker.`,
  );
}
