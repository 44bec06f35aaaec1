/** A Redocly plugin with rules for changes that break clients but that Redocly rates as compatible. */

interface Node {
  key: string | number;
  value: unknown;
  /** The target of a `$ref`. */
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
  /** Where the node is used. A schema of requests and responses has both. */
  getDirections(): ('request' | 'response')[];
}

type Visitor = { [type: string]: Visitor | ((change: Change, context: Context) => void) };

/** A rule that reports the changes of one node type that `breaks` selects. */
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

/** The new values of an enumeration. Its removal counts as a new value, because it allows any value. */
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

/** Parses an ISO 8601 duration of hours, minutes and seconds, the format that the lint rule `rule/duration` requires. */
function seconds(duration: unknown): number {
  const [, hours = 0, minutes = 0, rest = 0] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(String(duration)) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
}

const rules: Record<string, () => Visitor> = {
  'default-changed': rule(
    'A request without it changes its meaning.',
    ['Schema'],
    (change, { getDirections }) =>
      modified(change, 'default') && change.base.value !== undefined && getDirections().includes('request'),
  ),

  'limit-added': rule('Requests that were accepted are rejected.', ['Schema'], (change, { getDirections }) => {
    if (!getDirections().includes('request')) return false;
    const { base, revision } = change;
    if (modified(change, 'x-after', 'x-not-before')) return revision.value !== undefined;
    if (!modified(change, 'x-max-ahead', 'x-max-age', 'x-max-before-previous') || revision.value === undefined)
      return false;
    return base.value === undefined || seconds(revision.value) < seconds(base.value);
  }),

  // Replaces Redocly's `enum-values-added`, which does not know open enumerations.
  'closed-enum-extended': rule(
    'Clients rely on the complete list of values.',
    ['Schema'],
    (change, { getDirections }) =>
      gained(change).length > 0 && !isOpen(change.node.base) && getDirections().includes('response'),
  ),

  'enum-opened': rule(
    'Clients rely on the complete list of values.',
    ['Schema'],
    (change, { getDirections }) =>
      modified(change, 'x-open-enum') && change.revision.value === true && getDirections().includes('response'),
  ),

  'response-value-removed': rule(
    'Clients that wait for the value wait forever.',
    ['Schema'],
    (change, { getDirections }) => lost(change).length > 0 && getDirections().includes('response'),
  ),

  'response-header-optional': rule(
    'Clients rely on the header.',
    ['Response', 'Header'],
    (change) => modified(change, 'required') && change.base.value === true,
  ),

  'response-without-schema': rule(
    'The response may contain anything.',
    ['Responses', 'MediaType', 'Schema'],
    ({ kind, node }) => kind === 'removed' && node.base?.key === 'schema',
  ),

  'success-added': rule(
    'Clients rely on the complete list of success responses.',
    ['Responses', 'Response'],
    ({ kind, node }) => kind === 'added' && /^[23]/.test(String(node.revision?.key)),
  ),

  'table-changed': rule(
    'Clients rely on each row of the table.',
    ['SpecExtension'],
    ({ kind, base }) => kind !== 'added' && base.value !== undefined,
  ),

  'limit-lowered': rule(
    'Requests that were accepted are rejected.',
    ['Root'],
    (change) => modified(change, 'x-max-body') && !(Number(change.revision.value) >= Number(change.base.value)),
  ),

  // Requests stay the same, but generated clients name their arguments after the template.
  'path-parameter-renamed': rule('Calls of generated clients no longer compile.', ['Paths', 'PathItem'], (change) =>
    modified(change, 'key'),
  ),
};

const plugin = (): object => ({ id: 'waybill', diff: { oas3: rules } });
export default plugin;
