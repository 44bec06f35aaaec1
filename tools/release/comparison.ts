import { type Change, type Impact, impacts } from './change.ts';
import { changesBetween, readDocument } from './changes.ts';
import type { Document } from './document.ts';
import { isBelow, nextVersion, parseVersion } from './version.ts';

const root = new URL('../../', import.meta.url);
export const releasedFile: URL = new URL('spec/released/openapi.json', root);
export const revisionFile: URL = new URL('packages/contract/generated/openapi.json', root);
export const changelogFile: URL = new URL('CHANGELOG.md', root);

/** The current contract, compared with the last release. */
export interface Comparison {
  released: string;
  version: string;
  changes: Change[];
  /** null when the documents are equal. */
  impact: Impact | null;
  /** Each with its fix. */
  errors: string[];
}

export async function compareWithRelease(): Promise<Comparison> {
  const [before, after] = [await readDocument(releasedFile), await readDocument(revisionFile)];
  const changes = await changesBetween(releasedFile, revisionFile);
  const impact = impacts.findLast((level) => changes.some((change) => change.impact === level)) ?? null;
  const { version: released } = before.info;
  const { version } = after.info;
  return {
    released,
    version,
    changes,
    impact: impact ?? (isSame(before, after) ? null : 'patch'),
    errors: [
      ...wrongServer(after),
      ...lowerVersion(released, version),
      ...unversionedBreaks(released, version, changes),
    ],
  };
}

/** Whether the documents differ at most in the version. */
function isSame(before: Document, after: Document): boolean {
  const { version } = before.info;
  return JSON.stringify(before) === JSON.stringify({ ...after, info: { ...after.info, version } });
}

function wrongServer({ info, servers }: Document): string[] {
  const [major] = parseVersion(info.version);
  const wrong = servers.find(({ url }) => !url.endsWith(`/v${major}`));
  return wrong
    ? [
        `The server ${wrong.url} does not contain the major version of ${info.version}.\n` +
          `Change its path to /v${major}, or info.version, in spec/openapi.yaml.`,
      ]
    : [];
}

function lowerVersion(released: string, version: string): string[] {
  return isBelow(version, released)
    ? [`${released} is released, but info.version is ${version}.\nRaise it in spec/openapi.yaml.`]
    : [];
}

function unversionedBreaks(released: string, version: string, changes: Change[]): string[] {
  const breaking = changes.filter(({ impact }) => impact === 'major');
  if (breaking.length === 0 || parseVersion(version)[0] > parseVersion(released)[0]) return [];
  const next = nextVersion(released, 'major');
  const named = breaking.map(({ section, text, why, pointer }) => `  ${section}: ${text}\n    ${why}\n    ${pointer}`);
  return [
    `This breaks clients of contract ${released}:\n\n${named.join('\n')}\n\n` +
      'Undo it, or mark the old part `deprecated: true` and add the new part beside it.\n' +
      `If the break is necessary, it needs a new major version: set info.version to ${next} and the server's path to\n` +
      `/v${parseVersion(next)[0]} in spec/openapi.yaml, and run \`npx -y pnpm@12 generate\`.`,
  ];
}
