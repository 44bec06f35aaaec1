import type { Round } from './rounds.ts';

type Row = Round & { memory: number | undefined };

const columns: Record<keyof Row, string> = {
  round: 'round',
  outage: 'outage             ',
  lasted: 'lasted in ms',
  refused: '503 after ms',
  acknowledged: 'acknowledged',
  doubtful: 'in doubt',
  unheard: 'of them done',
  abandoned: 'given up',
  recovered: 'recovered in ms',
  lost: 'lost',
  doubled: 'doubled',
  memory: 'server MiB',
};
const names = Object.keys(columns) as (keyof Row)[];

export const header: string = `| ${names.map((name) => columns[name]).join(' | ')} |\n${rule()}`;

/** A round as a line of the table: text to the left, numbers to the right. */
export function line(round: Row): string {
  const cells = names.map((name) => {
    const [value, width] = [round[name] ?? '', columns[name].length];
    return name === 'outage' ? String(value).padEnd(width) : String(value).padStart(width);
  });
  return `| ${cells.join(' | ')} |`;
}

function rule(): string {
  const dashes = names.map((name) => '-'.repeat(columns[name].length + 1));
  return `|${dashes.map((dash, at) => (names[at] === 'outage' ? `${dash}-` : `${dash}:`)).join('|')}|`;
}
