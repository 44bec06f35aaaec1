import { readFileSync, writeFileSync } from 'node:fs';

/** In the README's table of what is proven a line is `| what | how much | by what |`. */
const readme = new URL('../../README.md', import.meta.url);

/** Where the README says how much: the text, and from where to where. */
function find(what: string): { text: string; from: number; to: number } {
  const text = readFileSync(readme, 'utf8');
  const line = text.indexOf(`\n| ${what} `);
  if (line === -1) throw new Error(`README.md has no line '${what}' in its table of what is proven.`);
  const from = text.indexOf('|', line + 3 + what.length) + 2;
  return { text, from, to: text.indexOf(' |', from) };
}

/** What the README says is proven. @throws when it has no such line */
export function saidOf(what: string): string {
  const { text, from, to } = find(what);
  return text.slice(from, to).trim();
}

/** Makes the README say what was measured. */
export function say(what: string, measured: string): void {
  const { text, from, to } = find(what);
  writeFileSync(readme, text.slice(0, from) + measured.padEnd(to - from) + text.slice(to));
}
