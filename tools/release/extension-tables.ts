/** Tables in specification extensions. `redocly diff` compares only extensions with a text or a list of texts. */
import type { Change } from './change.ts';
import { code } from './locations.ts';

interface Transition {
  from: string | null;
  to: string;
  operation: string;
}

type Rows = [row: string, value: string][];

/** Extension → the description of each row and its value for clients. */
const descriptions: Record<string, (table: object) => Rows> = {
  'x-transitions': (transitions) =>
    Object.values(transitions as Transition[]).map(({ from, to, operation }) => {
      const transition =
        from === null ? `The initial transition to ${code(to)}` : `The transition from ${code(from)} to ${code(to)}`;
      return [`${transition} by ${code(operation)}`, ''];
    }),
  'x-problems': (kinds) =>
    Object.entries(kinds as Record<string, { status: number }>).map(([name, { status }]) => [
      `The problem ${code(name)}`,
      `status ${status}`,
    ]),
  'x-positions': (rows) =>
    Object.entries(rows).map(([status, effect]) => [`Positions of a shipment that is ${code(status)}`, code(effect)]),
  'x-scopes': (rows) => Object.keys(rows).map((scope) => [`The scope ${code(scope)}`, '']),
};

/** The changes of a table's rows. A removed or changed row breaks clients. */
export function tableChanges(extension: string, pointer: string, before: object, after: object): Change[] {
  const why = `table-changed: Clients rely on each row of ${extension}.`;
  const found = (section: Change['section'], text: string): Change => {
    const impact = section === 'Added' ? 'minor' : 'major';
    return { section, text: `${text}.`, impact, why: impact === 'major' ? why : '', pointer };
  };
  const describe = descriptions[extension];
  if (!describe)
    return [found('Changed', `${code(extension)}; describe its rows in tools/release/extension-tables.ts`)];
  const [old, now] = [new Map(describe(before)), new Map(describe(after))];
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter((row) => old.get(row) !== now.get(row));
  return changed.map((row) => {
    if (!old.has(row)) return found('Added', row);
    return now.has(row) ? found('Changed', `${row}: ${now.get(row)}; it was ${old.get(row)}`) : found('Removed', row);
  });
}
