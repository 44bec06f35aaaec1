import type { Impact } from './change.ts';

type Version = [major: number, minor: number, patch: number];

/** @throws {Error} for a text other than three numbers */
export function parseVersion(text: string): Version {
  const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number);
  if (!parts) throw new Error(`info.version must be three numbers like 1.4.0, not '${text}'.`);
  return parts as Version;
}

/** The version after a change with this impact. */
export function nextVersion(text: string, impact: Impact): string {
  const [major, minor, patch] = parseVersion(text);
  if (impact === 'major') return `${major + 1}.0.0`;
  return impact === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

export function isBelow(text: string, other: string): boolean {
  const [mine, others] = [parseVersion(text), parseVersion(other)];
  const first = mine.findIndex((part, index) => part !== others[index]);
  return first >= 0 && Number(mine[first]) < Number(others[first]);
}
