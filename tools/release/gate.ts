import { type Change, type Impact, impacts } from './change.ts';
import { changesBetween, readDocument } from './changes.ts';
import type { Document } from './document.ts';
import { isBelow, nextVersion, parseVersion } from './version.ts';

const root = new URL('../../', import.meta.url);
export const releasedFile: URL = new URL('spec/released/openapi.json', root);
export const revisionFile: URL = new URL('packages/contract/generated/openapi.json', root);
export const changelogFile: URL = new URL('CHANGELOG.md', root);

/** The contract as it is now beside the one that clients were promised. */
export interface Judgement {
  released: string;
  version: string;
  changes: Change[];
  /** Null when nothing at all has changed. */
  impact: Impact | null;
  /** What must not be: each with the way to mend it. */
  faults: string[];
}

/** Compares the contract with the last released one. */
export async function judge(): Promise<Judgement> {
  const [before, after] = [await readDocument(releasedFile), await readDocument(revisionFile)];
  const changes = await changesBetween(releasedFile, revisionFile);
  const impact = impacts.findLast((one) => changes.some((change) => change.impact === one)) ?? null;
  const { version: released } = before.info;
  const { version } = after.info;
  return {
    released,
    version,
    changes,
    impact: impact ?? (isSame(before, after) ? null : 'patch'),
    faults: [...wrongServer(after), ...wentBack(released, version), ...breaks(released, version, changes)],
  };
}

/** Whether nothing but the version differs. */
function isSame(before: Document, after: Document): boolean {
  const { version } = before.info;
  return JSON.stringify(before) === JSON.stringify({ ...after, info: { ...after.info, version } });
}

function wrongServer({ info, servers }: Document): string[] {
  const [major] = parseVersion(info.version);
  const wrong = servers.find(({ url }) => !url.endsWith(`/v${major}`));
  return wrong
    ? [
        `The server ${wrong.url} does not carry the major version of ${info.version}.\n` +
          `Let its path be /v${major}, or mend info.version, in spec/openapi.yaml.`,
      ]
    : [];
}

function wentBack(released: string, version: string): string[] {
  return isBelow(version, released)
    ? [`${released} is released, and info.version says ${version}.\nNever go back: raise it in spec/openapi.yaml.`]
    : [];
}

function breaks(released: string, version: string, changes: Change[]): string[] {
  const breaking = changes.filter(({ impact }) => impact === 'major');
  if (breaking.length === 0 || parseVersion(version)[0] > parseVersion(released)[0]) return [];
  const next = nextVersion(released, 'major');
  const named = breaking.map(({ section, text, why, pointer }) => `  ${section}: ${text}\n    ${why}\n    ${pointer}`);
  return [
    `This breaks clients of contract ${released}:\n\n${named.join('\n')}\n\n` +
      'Take it back, or leave what clients use as it is, marked `deprecated: true`, and put the new beside it.\n' +
      `If clients must break, it is another major version: set info.version to ${next} and the server's path to\n` +
      `/v${parseVersion(next)[0]} in spec/openapi.yaml, and run \`npx -y pnpm@12 generate\`.`,
  ];
}
