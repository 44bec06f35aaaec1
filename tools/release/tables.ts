/** The contract's own tables, which `redocly diff` does not look into: it compares words that hold a text or a list of texts. */
import type { Change } from './changes.ts';
import type { Document } from './document.ts';
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
    (steps as Step[]).map(({ from, to, operation }) => {
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
};

const prose = ['x-enumDescriptions'];

/** What changed in the tables of schemas that both documents have. A row that is gone or says something else breaks clients. */
export function tableChanges(released: Document, revision: Document): Change[] {
  return Object.entries(released.components.schemas).flatMap(([schema, before]) => {
    const after = revision.components.schemas[schema];
    if (!after) return [];
    const words = new Set([...Object.keys(before), ...Object.keys(after)]);
    const tables = [...words].filter((word) => word.startsWith('x-') && !prose.includes(word));
    return tables.flatMap((word) => wordChanges(`${schema}/${word}`, word, before[word], after[word]));
  });
}

function wordChanges(where: string, word: string, before: unknown, after: unknown): Change[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (![before, after].some((table) => typeof table === 'object')) return []; // Redocly and its rules see it
  const why = `table-changed: Clients rely on each row of ${word}.`;
  const found = (section: Change['section'], text: string): Change => {
    const impact = section === 'Added' ? 'minor' : 'major';
    return {
      section,
      text: `${text}.`,
      impact,
      why: impact === 'major' ? why : '',
      pointer: `#/components/schemas/${where}`,
    };
  };
  const promise = promises[word];
  if (!promise) return [found('Changed', `${code(word)}; say in tools/release/tables.ts what its rows promise`)];
  const [old, now] = [new Map(promise(before ?? [])), new Map(promise(after ?? []))];
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter((row) => old.get(row) !== now.get(row));
  return changed.map((row) => {
    if (!old.has(row)) return found('Added', row);
    return now.has(row) ? found('Changed', `${row}: ${now.get(row)}; it was ${old.get(row)}`) : found('Removed', row);
  });
}
