import { type Deprecation, type Document, isNode } from './document.ts';

export const code = (text: unknown): string => `\`${text}\``;

interface LifecycleRow {
  rank: number;
  from?: string[];
  operations: string[];
  positions?: string;
}

type Rows = Record<string, string>;

/** Extension → a text for each row of its table, and the part of the row that clients rely on. */
const tables: Record<string, (table: never) => Rows> = {
  'x-lifecycle': (lifecycle: Record<string, LifecycleRow>) => {
    const all = Object.entries(lifecycle);
    return Object.fromEntries(
      all.flatMap(
        ([to, { rank, operations, from = all.flatMap(([one, row]) => (row.rank < rank ? one : [])), ...row }]) => [
          ...from.map((one) => [`The transition from ${code(one)} to ${code(to)}`, '']),
          ...operations.map((operation) => [`The recording of ${code(to)} by ${code(operation)}`, '']),
          ...(row.positions ? [[`Positions of a shipment that is ${code(to)}`, code(row.positions)]] : []),
        ],
      ),
    );
  },
  'x-changes': (rows: { until: string; fields: string[] }[]) =>
    Object.fromEntries(
      rows.flatMap(({ until, fields }) => fields.map((field) => [`The change of ${code(field)}`, until])),
    ),
  'x-problems': (problems: Record<string, { status: number }>) =>
    rows(problems, ({ status }) => `status ${status}`, 'The problem'),
  'x-exceptions': (exceptions: Record<string, { statuses: string[] }>) =>
    rows(exceptions, ({ statuses }) => `raised in ${statuses.join(', ')}`, 'The exception'),
  'x-enumDescriptions': () => ({}), // for people only
};

/** Begins with the sunset, which rules.ts compares. */
const deprecationText = ({ sunset, instead }: Deprecation): string => `${sunset}. ${instead}`;

const rows = <Row>(table: Record<string, Row>, value: (row: Row) => string, name: string): Rows =>
  Object.fromEntries(Object.entries(table).map(([key, row]) => [`${name} ${code(key)}`, value(row)]));

/**
 * The document with texts in place of the tables in its extensions, because `redocly diff` compares only texts. Each rule of
 * `x-time` becomes a keyword, such as `x-time.after`, and each field of `x-required-in`. rules.ts rates them. An open enumeration becomes an `enum` with a mark.
 * The value of `deprecated`, and of `deprecated.slow` for a value `slow`, is a text.
 *
 * @throws {Error} for an extension that is not described here
 */
export function withComparableExtensions(document: Document): Document {
  const comparable = (node: unknown, parent: string): unknown => {
    if (!isNode(node)) return node;
    if (Array.isArray(node)) return node.map((item) => comparable(item, ''));
    const hasNames = ['properties', 'headers'].includes(parent);
    return Object.fromEntries(
      Object.entries(node).flatMap(([key, value]) => {
        if (hasNames) return [[key, comparable(value, '')]];
        if (['example', 'examples'].includes(key)) return [[key, value]];
        if (key === 'x-extensible-enum')
          return [
            ['enum', value],
            [key, true],
          ];
        if (key === 'x-deprecation') return [];
        const deprecation = key === 'deprecated' && (node as { 'x-deprecation'?: Deprecation })['x-deprecation'];
        if (deprecation) return [[key, deprecationText(deprecation)]];
        if (key === 'x-enumDeprecations') {
          const rows = Object.entries(value as Record<string, Deprecation>);
          return rows.map(([name, row]) => [`deprecated.${name}`, deprecationText(row)]);
        }
        if (!key.startsWith('x-')) return [[key, comparable(value, key)]];
        if (key === 'x-time') return Object.entries(value as Rows).map(([rule, limit]) => [`x-time.${rule}`, limit]);
        if (key === 'x-required-in')
          return Object.entries(value as Record<string, string[]>).map(([field, list]) => [
            `${key}.${field}`,
            list.join(' '),
          ]);
        const texts = tables[key];
        if (!texts) throw new Error(`${code(key)} is unknown. Describe it in tools/release/extensions.ts.`);
        return [[key, texts(value as never)]];
      }),
    );
  };
  return comparable(document, '') as Document;
}
