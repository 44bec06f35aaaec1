import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { command, flag, UsageError } from '@waybill/sandbox/processes/command-line';
import { runTasks } from '../child.ts';
import usage from './main.usage.json' with { type: 'json' };
import { release } from './release.ts';

/** pnpm leaves out the versions that are published already, so that a failed run can be repeated. */
const publishing = [
  '--recursive',
  'publish',
  '--provenance',
  '--access',
  'public',
  '--no-git-checks',
  '--ignore-scripts',
];

await command({ usage, options: { check: flag, publish: flag } }, async ({ check, publish }) => {
  if (check && publish) throw new UsageError('Choose --check or --publish.');
  const checked = await runTasks('check', '--filter=@waybill/contract', '--output-logs=errors-only');
  if (checked !== 0) return checked;
  const { code, output, isReleased } = await release(pathToFileURL(`${process.cwd()}/`), check || publish);
  const isRefused = publish && code === 0 && !isReleased;
  console[code === 0 && !isRefused ? 'log' : 'error'](output);
  if (isRefused) console.error('Release the contract before its packages: run `npx -y pnpm@12 release`, and commit.');
  if (code !== 0 || isRefused) return 1;
  return publish ? (spawnSync('pnpm', publishing, { stdio: 'inherit' }).status ?? 1) : 0;
});
