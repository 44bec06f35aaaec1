import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { command } from '../command-line.ts';
import { describe, withRelease } from './changelog.ts';
import { readDocument } from './changes.ts';
import { changelogFile, type Judgement, judge, releasedFile, revisionFile } from './gate.ts';
import { isBelow, nextVersion } from './version.ts';

const usage = `Usage: npx -y pnpm@12 release [--check]

Releases the contract: compares packages/contract/generated/openapi.json with the last release in spec/released/,
writes what changed to CHANGELOG.md and keeps the contract as the new last release.

  --check   only tell what is not released yet; fails when it breaks clients without a new major version
  --help    this text
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

function tell({ released, changes, impact }: Judgement): number {
  console.log(
    impact === null
      ? `The contract is the released ${released}.`
      : `Since contract ${released}, not released yet:\n\n${describe(changes)}`,
  );
  return 0;
}

async function release({ released, version, changes, impact }: Judgement): Promise<number> {
  if (impact === null) {
    console.error(`There is nothing to release: the contract is the released ${released}.`);
    return 1;
  }
  const least = nextVersion(released, impact);
  if (isBelow(version, least)) {
    console.error(
      `info.version is ${version}, and what changed since ${released} makes it at least ${least}:\n\n` +
        `${describe(changes)}\nSet it in spec/openapi.yaml, run \`npx -y pnpm@12 generate\`, and release again.`,
    );
    return 1;
  }
  return write(version, describe(changes));
}

await command(usage, new AbortController().signal, async () => {
  const args = process.argv.slice(2).filter((arg) => arg !== '--');
  const options = { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
  const { values } = parseArgs({ args, options });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (!existsSync(releasedFile)) {
    if (!values.check) return write((await readDocument(revisionFile)).info.version, 'The first release.\n');
    console.error('spec/released/openapi.json is missing, so nobody can tell what clients were promised. Restore it.');
    return 1;
  }
  const judgement = await judge();
  if (judgement.faults.length > 0) {
    console.error(judgement.faults.join('\n\n'));
    return 1;
  }
  return values.check ? tell(judgement) : release(judgement);
});
