import { type Document, isNode } from './document.ts';

export const code = (text: unknown): string => `\`${text}\``;

interface Transition {
  from: string | null;
  to: string;
  operation: string;
}

type Rows = Record<string, string>;

/** Extension → a text for each row of its table, and the part of the row that clients rely on. */
const tables: Record<string, (table: never) => Rows> = {
  'x-transitions': (transitions: Transition[]) =>
    Object.fromEntries(
      transitions.map(({ from, to, operation }) => {
        const name = from === null ? 'The initial transition' : `The transition from ${code(from)}`;
        return [`${name} to ${code(to)} by ${code(operation)}`, ''];
      }),
    ),
  'x-problems': (problems: Record<string, { status: number }>) =>
    rows(problems, ({ status }) => `status ${status}`, 'The problem'),
  'x-positions': (effects: Rows) => rows(effects, code, 'Positions of a shipment that is'),
  'x-event-data': (data: Rows) => rows(data, code, 'The data of the event'),
  'x-scopes': (scopes: Rows) => rows(scopes, () => '', 'The scope'),
  'x-enumDescriptions': () => ({}), // for people only
};

const rows = <Row>(table: Record<string, Row>, value: (row: Row) => string, name: string): Rows =>
  Object.fromEntries(Object.entries(table).map(([key, row]) => [`${name} ${code(key)}`, value(row)]));

/** Extensions that the rules in rules.ts rate. */
const rated = [
  'x-after',
  'x-not-before',
  'x-max-ahead',
  'x-max-age',
  'x-max-before-previous',
  'x-open-enum',
  'x-max-body',
];

/**
 * The document with texts in place of the tables in its extensions, because `redocly diff` compares only texts.
 *
 * @throws {Error} for an extension that is not described here
 */
export function withComparableExtensions(document: Document): Document {
  const comparable = (node: unknown, parent: string): unknown => {
    if (!isNode(node)) return node;
    if (Array.isArray(node)) return node.map((item) => comparable(item, ''));
    const hasNames = ['properties', 'headers'].includes(parent);
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => {
        if (hasNames) return [key, comparable(value, '')];
        if (['example', 'examples'].includes(key) || rated.includes(key)) return [key, value];
        if (!key.startsWith('x-')) return [key, comparable(value, key)];
        const texts = tables[key];
        if (!texts) throw new Error(`${code(key)} is unknown. Describe it in tools/release/extensions.ts.`);
        return [key, texts(value as never)];
      }),
    );
  };
  return comparable(document, '') as Document;
}
