import { command, flag, UsageError } from '../command-line.ts';
import { stopSignal } from '../start/stop.ts';
import { faults } from './faults.ts';
import { missing } from './needs.ts';
import { type FaultResult, runFault } from './run-fault.ts';
import { count } from './violations.ts';

const usage = `Usage: npx -y pnpm@12 faults [--only <name>] [--list]

Starts a service for each fault, causes the fault while clients read and write, and ends its cause. Checks that no
acknowledged write is lost or duplicated, that requests get 503 within 5 s and only if they need what has failed, and that
the service recovers within 5 s by itself.

  --only <name>   causes one fault
  --list          lists the faults
  --help          show this text
`;

const columns = ['fault', 'requests', 'ok', '503', 'closed', 'other', 'slowest s', 'recovery s', 'lost', 'duplicated'];

const signal = stopSignal();
const options = { only: { type: 'string' }, list: flag } as const;
await command({ usage, options, signal }, async ({ only, list }) => {
  const names = Object.keys(faults).filter((name) => only === undefined || name === only);
  if (names.length === 0)
    throw new UsageError(`--only must be one of ${Object.keys(faults).join(', ')}, not '${only}'`);
  if (list) {
    for (const [name, { text }] of Object.entries(faults)) console.log(`${name.padEnd(20)} ${text}`);
    return 0;
  }
  console.log(`| ${columns.join(' | ')} |\n|---|${'--:|'.repeat(columns.length - 1)}`);
  let hasFailed = false;
  for (const name of names) {
    const fault = faults[name];
    if (!fault) continue;
    const reasons = (await Promise.all((fault.needs ?? []).map(missing))).filter((reason) => reason !== undefined);
    if (reasons.length > 0) {
      console.log(`| ${name} | skipped: ${reasons.join(', ')} |`);
      continue;
    }
    const result = await runFault(fault, signal);
    console.log(`| ${[name, ...cellsOf(result)].join(' | ')} |`);
    for (const violation of result.violations.slice(0, 30)) console.error(`  ${name}: ${violation}`);
    if (result.violations.length > 0) hasFailed = true;
  }
  return hasFailed ? 1 : 0;
});

function cellsOf({ requests, recovery, lost, duplicated }: FaultResult): (string | number)[] {
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  const slowest = Math.max(0, ...requests.map(({ start, end }) => end - start));
  return [
    requests.length,
    count(requests, 'ok'),
    count(requests, 'unavailable'),
    count(requests, 'closed'),
    count(requests, 'wrong'),
    seconds(slowest),
    recovery === undefined ? 'never' : seconds(recovery),
    lost,
    duplicated,
  ];
}
