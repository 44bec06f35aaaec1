import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { describe, withRelease } from './changelog.ts';
import { type Change, changesBetween } from './changes.ts';
import type { Document } from './document.ts';

export interface Result {
  code: 0 | 1;
  output: string;
  /** Whether the contract equals its last release. */
  isReleased?: boolean;
}

const failed = (output: string): Result => ({ code: 1, output });

const readDocument = async (file: URL): Promise<Document> => JSON.parse(await readFile(file, 'utf8'));

/** Releases the contract of the repository in this folder. With `isCheck` it only lists and checks the changes. */
export async function release(root: URL, isCheck: boolean): Promise<Result> {
  const releasedFile = new URL('spec/released/openapi.json', root);
  const revisionFile = new URL('packages/contract/generated/openapi.json', root);

  const today = new Date().toISOString().slice(0, 10);

  async function write(version: string, text: string): Promise<Result> {
    const changelogFile = new URL('CHANGELOG.md', root);
    const changelog = await readFile(changelogFile, 'utf8').catch(() => '');
    await writeFile(changelogFile, withRelease(changelog, version, today, text));
    await mkdir(new URL('.', releasedFile), { recursive: true });
    await copyFile(revisionFile, releasedFile);
    return { code: 0, output: `Released contract ${version}. Commit CHANGELOG.md and spec/released/ with it.` };
  }

  if (!existsSync(releasedFile)) {
    if (isCheck) return failed('spec/released/openapi.json is missing. Restore the last release.');
    return write((await readDocument(revisionFile)).info.version, 'The first release.\n');
  }
  const [before, after] = [await readDocument(releasedFile), await readDocument(revisionFile)];
  const { version: released } = before.info;
  const { version } = after.info;
  const isEqual = JSON.stringify(before) === JSON.stringify({ ...after, info: { ...after.info, version: released } });
  const wrongVersion = versionError(released, after);
  if (wrongVersion) return failed(wrongVersion);

  const changes = isEqual ? [] : await changesBetween(before, after);
  const breaking = changes.filter(({ isBreaking }) => isBreaking);
  if (breaking.length > 0 && majorOf(version) === majorOf(released)) return failed(breaks(released, breaking));
  const early = changes.filter(
    ({ isLeaving, deprecation }) => isLeaving && !(deprecation && deprecation.sunset <= today),
  );
  if (early.length > 0) return failed(leaveEarly(released, early));
  if (isCheck) {
    const unreleased = `Unreleased changes since contract ${released}:\n\n${describe(changes)}`;
    const output = isEqual ? `The contract equals release ${released}.` : unreleased;
    return { code: 0, output, isReleased: isEqual };
  }
  if (isEqual) return failed(`There is nothing to release: the contract equals release ${released}.`);
  const late = changes.filter(
    ({ section, deprecation }) => section === 'Deprecated' && deprecation && deprecation.since < today,
  );
  if (late.length > 0) return failed(`Set \`since\` to the date of this release or a later one:\n\n${describe(late)}`);
  const least = nextVersion(released, changes);
  if (!isBelow(version, least)) return write(version, describe(changes));
  return failed(
    `info.version is ${version}, but the changes since ${released} need at least ${least}:\n\n` +
      `${describe(changes)}\nSet it in spec/openapi.yaml, run \`npx -y pnpm@12 generate\`, and release again.`,
  );
}

/** An error of the contract's version or server, with its fix; undefined when there is none. */
function versionError(released: string, { info: { version }, servers }: Document): string | undefined {
  const path = `/v${majorOf(version)}`;
  const wrong = servers.find(({ url }) => !url.endsWith(path));
  if (isBelow(version, released))
    return `${released} is released, but info.version is ${version}.\nRaise it in spec/openapi.yaml.`;
  return (
    wrong &&
    `The server ${wrong.url} does not contain the major version of ${version}.
Change its path to ${path}, or info.version, in spec/openapi.yaml.`
  );
}

function breaks(released: string, breaking: Change[]): string {
  const next = nextVersion(released, breaking);
  const named = breaking.map(({ section, text, why, pointer }) => `  ${section}: ${text}\n    ${why}\n    ${pointer}`);
  return (
    `This breaks clients of contract ${released}:\n\n${named.join('\n')}\n\n` +
    'Undo it, or deprecate the old part with `x-deprecation` and add the new part beside it.\n' +
    `If the break is necessary, it needs a new major version: set info.version to ${next} and the server's path to\n` +
    `/v${majorOf(next)} in spec/openapi.yaml, and run \`npx -y pnpm@12 generate\`.`
  );
}

function leaveEarly(released: string, early: Change[]): string {
  const reason = ({ deprecation }: Change): string =>
    deprecation ? `works until ${deprecation.sunset}` : `not deprecated in contract ${released}`;
  const named = early.map((change) => `  ${change.text}\n    ${reason(change)}`);
  return (
    `This cannot leave yet:\n\n${named.join('\n')}\n\n` +
    'Restore it. It can leave when a release has deprecated it with `x-deprecation`, and the `sunset` is past.'
  );
}

/** @throws {Error} for a text other than three numbers */
function numbersOf(version: string): [major: number, minor: number, patch: number] {
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    throw new Error(`info.version must be three numbers like 1.4.0, not '${version}'.`);
  }
  return version.split('.').map(Number) as [number, number, number];
}

const majorOf = (version: string): number => numbersOf(version)[0];

const isBelow = (version: string, other: string): boolean => version.localeCompare(other, 'en', { numeric: true }) < 0;

/** The least version after these changes; without any, only texts changed. */
function nextVersion(version: string, changes: Change[]): string {
  const [major, minor, patch] = numbersOf(version);
  if (changes.some(({ isBreaking }) => isBreaking)) return `${major + 1}.0.0`;
  return changes.length > 0 ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
