import type { Change } from './change.ts';
import type { Section } from './sentences.ts';

const head = `# Changelog

What changed for those who call Waybill. The contract's sections are written by \`npx -y pnpm@12 release\`.
`;

const sections: Section[] = ['Added', 'Changed', 'Deprecated', 'Removed'];

/** The changes as a client's developer reads them, in Markdown; what breaks comes first. */
export function describe(changes: Change[]): string {
  if (changes.length === 0) return 'Words and examples only; nothing changes for programs.\n';
  const breaksFirst = changes.toSorted((a, b) => Number(b.impact === 'major') - Number(a.impact === 'major'));
  const parts = sections.map((section) => {
    const lines = breaksFirst.filter((change) => change.section === section);
    const items = lines.map(({ text, impact }) => `- ${impact === 'major' ? '**Breaking:** ' : ''}${text}`);
    return items.length > 0 ? `### ${section}\n\n${items.join('\n')}\n` : '';
  });
  return parts.filter((part) => part !== '').join('\n');
}

/** The changelog with a release on top; `date` is `YYYY-MM-DD`, in UTC. */
export function withRelease(changelog: string, version: string, date: string, text: string): string {
  const start = changelog.search(/^## /m);
  const [above, below] = start < 0 ? [changelog || head, ''] : [changelog.slice(0, start), changelog.slice(start)];
  return `${above.trimEnd()}\n\n## Contract ${version} — ${date}\n\n${text}${below && `\n${below}`}`;
}
