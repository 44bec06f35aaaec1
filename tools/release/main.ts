import { pathToFileURL } from 'node:url';
import { command, flag, UsageError } from '@waybill/sandbox/command-line';
import { publishAll, tarballsIn } from './packages.ts';
import { release } from './release.ts';

const usage = `Usage: npx -y pnpm@12 release [--check | --publish]

Releases the contract: compares packages/contract/generated/openapi.json with the last release in spec/released/,
writes the changes to CHANGELOG.md and stores the contract as the last release.

  --check    only prints the unreleased changes; fails if they break clients without a new major version
  --publish  publishes the tarballs in dist/ on npm, with provenance, if the contract is released; run \`build\` first
  --help     prints this text
`;

await command({ usage, options: { check: flag, publish: flag } }, async ({ check, publish }) => {
  if (check && publish) throw new UsageError('Choose --check or --publish.');
  const { code, output, isReleased } = await release(pathToFileURL(`${process.cwd()}/`), check || publish);
  const isRefused = publish && code === 0 && !isReleased;
  console[code === 0 && !isRefused ? 'log' : 'error'](output);
  if (isRefused) console.error('Release the contract before its packages: run `npx -y pnpm@12 release`, and commit.');
  if (code !== 0 || isRefused) return 1;
  if (publish) for (const line of await publishAll(await tarballsIn('dist'))) console.log(line);
  return 0;
});
