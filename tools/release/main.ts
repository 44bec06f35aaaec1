import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { command, flag } from '../command-line.ts';
import { describe, withRelease } from './changelog.ts';
import { readDocument } from './changes.ts';
import { type Comparison, changelogFile, compareWithRelease, releasedFile, revisionFile } from './comparison.ts';
import { isBelow, nextVersion } from './version.ts';

const usage = `Usage: npx -y pnpm@12 release [--check]

Releases the contract: compares packages/contract/generated/openapi.json with the last release in spec/released/,
writes the changes to CHANGELOG.md and stores the contract as the last release.

  --check   only prints the unreleased changes; fails if they break clients without a new major version
  --help    prints this text
`;

async function write(version: string, text: string): Promise<number> {
  const changelog = await readFile(changelogFile, 'utf8').catch(() => '');
  const today = new Date().toISOString().slice(0, 10);
  await writeFile(changelogFile, withRelease(changelog, version, today, text));
  await mkdir(new URL('.', releasedFile), { recursive: true });
  await copyFile(revisionFile, releasedFile);
  console.log(`Released contract ${version}. Commit CHANGELOG.md and spec/released/ with it.`);
  return 0;
}

function print({ released, changes, impact }: Comparison): number {
  console.log(
    impact === null
      ? `The contract equals release ${released}.`
      : `Unreleased changes since contract ${released}:\n\n${describe(changes)}`,
  );
  return 0;
}

async function release({ released, version, changes, impact }: Comparison): Promise<number> {
  if (impact === null) {
    console.error(`There is nothing to release: the contract equals release ${released}.`);
    return 1;
  }
  const least = nextVersion(released, impact);
  if (isBelow(version, least)) {
    console.error(
      `info.version is ${version}, but the changes since ${released} need at least ${least}:\n\n` +
        `${describe(changes)}\nSet it in spec/openapi.yaml, run \`npx -y pnpm@12 generate\`, and release again.`,
    );
    return 1;
  }
  return write(version, describe(changes));
}

await command({ usage, options: { check: flag } }, async ({ check }) => {
  if (!existsSync(releasedFile)) {
    if (!check) return write((await readDocument(revisionFile)).info.version, 'The first release.\n');
    console.error('spec/released/openapi.json is missing. Restore the last release.');
    return 1;
  }
  const comparison = await compareWithRelease();
  if (comparison.errors.length > 0) {
    console.error(comparison.errors.join('\n\n'));
    return 1;
  }
  return check ? print(comparison) : release(comparison);
});
