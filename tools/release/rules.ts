/** Diff rules of the house, as a Redocly plugin: changes that Redocly sees but takes for harmless. */

interface Node {
  key: string | number;
  value: unknown;
  /** What a `$ref` leads to. */
  resolved?: Node;
}

interface Change {
  kind: 'added' | 'removed' | 'modified';
  node: { base?: Node; revision?: Node };
  property?: string;
  base: { value: unknown };
  revision: { value: unknown };
}

interface Context {
  report(problem: { message: string }): void;
  /** Where the node is used: both, for a schema that is sent and answered. */
  getDirections(): ('request' | 'response')[];
}

type Visitor = { [type: string]: Visitor | ((change: Change, context: Context) => void) };

/** A rule about one kind of node that reports the changes which `breaks` picks out. */
const rule = (message: string, types: string[], breaks: (change: Change, context: Context) => boolean) => () => {
  const visit = (change: Change, context: Context): void => {
    if (breaks(change, context)) context.report({ message });
  };
  return types.reduceRight<Visitor[string]>((inner, type) => ({ [type]: inner }), visit) as Visitor;
};

const modified = ({ kind, property }: Change, ...properties: string[]): boolean =>
  kind === 'modified' && properties.includes(property ?? '');

const without = (values: unknown, others: unknown): unknown[] =>
  Array.isArray(values) ? values.filter((value) => !Array.isArray(others) || !others.includes(value)) : [];

/** The values of an enumeration that are new; its end counts as one, because anything is a value then. */
function gained(change: Change): unknown[] {
  if (!modified(change, 'enum') || change.base.value === undefined) return [];
  return change.revision.value === undefined ? ['anything'] : without(change.revision.value, change.base.value);
}

const lost = (change: Change): unknown[] =>
  modified(change, 'enum') && change.revision.value !== undefined
    ? without(change.base.value, change.revision.value)
    : [];

const isOpen = (node: Node | undefined): boolean =>
  ((node?.resolved ?? node)?.value as { 'x-open-enum'?: boolean } | undefined)?.['x-open-enum'] === true;

/** ISO 8601 hours, minutes and seconds, as the lint rule `rule/duration` wants them. */
function seconds(duration: unknown): number {
  const [, hours = 0, minutes = 0, rest = 0] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(String(duration)) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
}

const rules: Record<string, () => Visitor> = {
  'default-changed': rule(
    'A request without it means something else now.',
    ['Schema'],
    (change, { getDirections }) =>
      modified(change, 'default') && change.base.value !== undefined && getDirections().includes('request'),
  ),

  'limit-added': rule('Requests that were accepted are refused.', ['Schema'], (change, { getDirections }) => {
    if (!getDirections().includes('request')) return false;
    const { base, revision } = change;
    if (modified(change, 'x-after', 'x-not-before')) return revision.value !== undefined;
    if (!modified(change, 'x-max-ahead', 'x-max-age', 'x-max-before-previous') || revision.value === undefined)
      return false;
    return base.value === undefined || seconds(revision.value) < seconds(base.value);
  }),

  // In place of Redocly's `enum-values-added`, which knows no enumerations that may grow.
  'closed-enum-grown': rule(
    'Clients were told that they know all values.',
    ['Schema'],
    (change, { getDirections }) =>
      gained(change).length > 0 && !isOpen(change.node.base) && getDirections().includes('response'),
  ),

  'enum-opened': rule(
    'Clients were told that they know all values.',
    ['Schema'],
    (change, { getDirections }) =>
      modified(change, 'x-open-enum') && change.revision.value === true && getDirections().includes('response'),
  ),

  'answer-value-removed': rule(
    'Programs that wait for the value wait for ever.',
    ['Schema'],
    (change, { getDirections }) => lost(change).length > 0 && getDirections().includes('response'),
  ),

  'answer-header-not-sure': rule(
    'Clients rely on the header.',
    ['Response', 'Header'],
    (change) => modified(change, 'required') && change.base.value === true,
  ),

  'answer-without-schema': rule(
    'Anything may be answered now.',
    ['Responses', 'MediaType', 'Schema'],
    ({ kind, node }) => kind === 'removed' && node.base?.key === 'schema',
  ),

  'success-added': rule(
    'Clients take the documented successes for all that there are.',
    ['Responses', 'Response'],
    ({ kind, node }) => kind === 'added' && /^[23]/.test(String(node.revision?.key)),
  ),

  // On the wire nothing changes, but generated clients name their arguments by the template.
  'path-parameter-renamed': rule('Calls of generated clients no longer fit.', ['Paths', 'PathItem'], (change) =>
    modified(change, 'key'),
  ),
};

const plugin = (): object => ({ id: 'house', diff: { oas3: rules } });
export default plugin;
