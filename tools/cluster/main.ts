import { type ChaosResult, chaosSettings, runChaos } from '../chaos/run.ts';
import { command, numberFrom, seedFrom } from '../command-line.ts';
import { stopSignal } from '../start/stop.ts';
import { missingPrograms } from './daemon.ts';
import { startClusterEnvironment } from './environment.ts';
import { clusterOutages } from './outages.ts';
import { runSuites, type Suite } from './suites.ts';

const usage = `Usage: npx -y pnpm@12 test:cluster [--rounds <n>] [--seed <n>] [<path> …]

Runs the tests against two instances of the service behind HAProxy, which share PgBouncer, Redis and a folder. Then
restarts and kills the parts of such a cluster while simulated clients write, and checks that nothing is lost.

  <path>         runs only test files whose path contains this text
  --rounds <n>   number of outages, of which every seventh is a rolling restart (14)
  --seed <n>     repeats the random choices of an earlier run; random by default
  --help         show this text
`;

const signal = stopSignal();
const options = { rounds: { type: 'string', default: '14' }, seed: { type: 'string' } } as const;
await command({ usage, options, signal, allowPositionals: true }, async (values, paths) => {
  const limits = {
    rounds: numberFrom('rounds', values.rounds, 1, 10_000),
    shipments: 48,
    seed: seedFrom(values.seed),
  };
  const missing = missingPrograms();
  if (missing.length > 0) throw new Error(`Install ${missing.join(', ')}: Debian's packages have these names.`);
  const start = performance.now();
  const suites = await runSuites(paths, signal);
  const suitesEnd = performance.now();
  await using cluster = await startClusterEnvironment(chaosSettings, signal);
  const chaos = await runChaos(cluster, clusterOutages(cluster), limits);
  const seconds = (from: number, to: number): number => Math.round((to - from) / 1000);
  console.log(`\n${tableOf(suites, seconds(start, suitesEnd))}`);
  console.log(`\n${chaosTable(chaos, limits.rounds, seconds(suitesEnd, performance.now()))}`);
  return chaos.findings > 0 || suites.some(({ failed }) => failed > 0) ? 1 : 0;
});

function tableOf(suites: Suite[], seconds: number): string {
  const sum = (of: (suite: Suite) => number): number => suites.reduce((total, suite) => total + of(suite), 0);
  const total: Suite = {
    name: `all, ${seconds} s`,
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
  };
  const rows = [...suites, total].map((suite) => Object.values(suite).join(' | '));
  return ['suite | passed | failed | skipped', '---|--:|--:|--:', ...rows].map((row) => `| ${row} |`).join('\n');
}

function chaosTable({ seamless, ...total }: ChaosResult, rounds: number, seconds: number): string {
  const rows = [
    'load | requests | failed | lost | duplicated | seconds',
    '---|--:|--:|--:|--:|--:',
    `${seamless.rounds} rolling restarts | ${seamless.requests} | ${seamless.failed} | ${seamless.lost} | ${seamless.duplicated} | ${seamless.seconds}`,
    `all ${rounds} rounds, writes only | ${total.writes} | retried | ${total.lost} | ${total.duplicated} | ${seconds}`,
  ];
  return rows.map((row) => `| ${row} |`).join('\n');
}
