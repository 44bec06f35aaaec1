/** The contract's own tables, which `redocly diff` does not look into: it compares words that hold a text or a list of texts. */
import type { Change } from './change.ts';
import { code } from './places.ts';

interface Step {
  from: string | null;
  to: string;
  operation: string;
}

type Rows = [row: string, says: string][];

/** Word → its rows in words, and what each says to clients. */
const promises: Record<string, (table: object) => Rows> = {
  'x-transitions': (steps) =>
    Object.values(steps as Step[]).map(({ from, to, operation }) => {
      const step = from === null ? `The beginning ${code(to)}` : `The step from ${code(from)} to ${code(to)}`;
      return [`${step} by ${code(operation)}`, ''];
    }),
  'x-problems': (kinds) =>
    Object.entries(kinds as Record<string, { status: number }>).map(([name, { status }]) => [
      `The problem ${code(name)}`,
      `status ${status}`,
    ]),
  'x-positions': (rows) =>
    Object.entries(rows).map(([status, does]) => [`Positions of a shipment that is ${code(status)}`, code(does)]),
  'x-keywords': (rows) =>
    Object.entries(rows).map(([keyword, name]) => [`A field that breaks ${code(keyword)}`, code(name)]),
  'x-scopes': (rows) => Object.keys(rows).map((scope) => [`The scope ${code(scope)}`, '']),
};

/** What changed in the rows of a table. A row that is gone or says something else breaks clients. */
export function tableChanges(word: string, pointer: string, before: object, after: object): Change[] {
  const why = `table-changed: Clients rely on each row of ${word}.`;
  const found = (section: Change['section'], text: string): Change => {
    const impact = section === 'Added' ? 'minor' : 'major';
    return { section, text: `${text}.`, impact, why: impact === 'major' ? why : '', pointer };
  };
  const promise = promises[word];
  if (!promise) return [found('Changed', `${code(word)}; say in tools/release/tables.ts what its rows promise`)];
  const [old, now] = [new Map(promise(before)), new Map(promise(after))];
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter((row) => old.get(row) !== now.get(row));
  return changed.map((row) => {
    if (!old.has(row)) return found('Added', row);
    return now.has(row) ? found('Changed', `${row}: ${now.get(row)}; it was ${old.get(row)}`) : found('Removed', row);
  });
}
