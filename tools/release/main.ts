import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { command, flag, UsageError } from '@waybill/sandbox/processes/command-line';
import { release } from './release.ts';

const usage = `Usage: npx -y pnpm@12 release [--check | --publish]

Releases the contract: compares packages/contract/generated/openapi.json with the last release in spec/released/,
writes the changes to CHANGELOG.md and stores the contract as the last release.

  --check    only prints the unreleased changes; fails if they break clients without a new major version, or remove what
             was not deprecated until now
  --publish  publishes on npm, with provenance, the packages whose version is not there, if the contract is released; run
             \`build\` first
  --help     prints this text
`;

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
  const { code, output, isReleased } = await release(pathToFileURL(`${process.cwd()}/`), check || publish);
  const isRefused = publish && code === 0 && !isReleased;
  console[code === 0 && !isRefused ? 'log' : 'error'](output);
  if (isRefused) console.error('Release the contract before its packages: run `npx -y pnpm@12 release`, and commit.');
  if (code !== 0 || isRefused) return 1;
  return publish ? (spawnSync('pnpm', publishing, { stdio: 'inherit' }).status ?? 1) : 0;
});
