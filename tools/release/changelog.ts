import type { Change } from './changes.ts';
import type { Section } from './entries.ts';

const head = `# Changelog

Changes of the contract that affect clients, by release.
`;

const sections: Section[] = ['Added', 'Changed', 'Deprecated', 'Removed'];

/** The changes in Markdown, for developers of clients. Breaking changes come first. */
export function describe(changes: Change[]): string {
  if (changes.length === 0) return 'Only texts and examples changed.\n';
  const breaksFirst = changes.toSorted((a, b) => Number(b.isBreaking) - Number(a.isBreaking));
  const parts = sections.map((section) => {
    const lines = breaksFirst.filter((change) => change.section === section);
    const items = lines.map(({ text, isBreaking }) => `- ${isBreaking ? '**Breaking:** ' : ''}${text}`);
    return items.length > 0 ? `### ${section}\n\n${items.join('\n')}\n` : '';
  });
  return parts.filter((part) => part !== '').join('\n');
}

/** Adds a release at the top of the changelog. `date` is `YYYY-MM-DD` in UTC. */
export function withRelease(changelog: string, version: string, date: string, text: string): string {
  const start = changelog.search(/^## /m);
  const [above, below] = start < 0 ? [changelog || head, ''] : [changelog.slice(0, start), changelog.slice(start)];
  return `${above.trimEnd()}\n\n## Contract ${version} — ${date}\n\n${text}${below && `\n${below}`}`;
}
