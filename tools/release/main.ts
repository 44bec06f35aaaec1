import { pathToFileURL } from 'node:url';
import { command, flag } from '../command-line.ts';
import { release } from './release.ts';

const usage = `Usage: npx -y pnpm@12 release [--check]

Releases the contract: compares packages/contract/generated/openapi.json with the last release in spec/released/,
writes the changes to CHANGELOG.md and stores the contract as the last release.

  --check   only prints the unreleased changes; fails if they break clients without a new major version
  --help    prints this text
`;

await command({ usage, options: { check: flag } }, async ({ check }) => {
  const { code, output } = await release(pathToFileURL(`${process.cwd()}/`), check);
  console[code === 0 ? 'log' : 'error'](output);
  return code;
});
