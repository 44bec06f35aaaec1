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

type Breaks = (change: Change, context: Context) => boolean;

/** A rule that reports the changes of one node type, within others, that `breaks` selects. */
const rule = (message: string, types: string[], breaks: Breaks) => () => {
  const visit = (change: Change, context: Context): void => {
    if (breaks(change, context)) context.report({ message });
  };
  return types.reduceRight<object>((inner, type) => ({ [type]: inner }), visit);
};

/** A rule for the schemas of requests or of responses. */
const schemaRule = (direction: 'request' | 'response', message: string, breaks: (change: Change) => boolean) =>
  rule(message, ['Schema'], (change, { getDirections }) => breaks(change) && getDirections().includes(direction));

const modified = ({ kind, property }: Change, ...properties: string[]): boolean =>
  kind === 'modified' && properties.includes(property ?? '');

const hasOthers = (values: unknown, known: unknown): boolean =>
  Array.isArray(values) && Array.isArray(known) && values.some((value) => !known.includes(value));

const words = (text: unknown): string[] => String(text ?? '').split(' ');

const isOpen = (node: Node | undefined): boolean =>
  ((node?.resolved ?? node)?.value as { 'x-extensible-enum'?: boolean } | undefined)?.['x-extensible-enum'] === true;

/** Parses an ISO 8601 duration of hours, minutes and seconds, the format that the lint rule `waybill/time-rules` requires. */
function seconds(duration: unknown): number {
  const [, hours = 0, minutes = 0, rest = 0] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(String(duration)) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
}

const rules: Record<string, ReturnType<typeof rule>> = {
  'default-changed': schemaRule(
    'request',
    'A request without it changes its meaning.',
    (change) => modified(change, 'default') && change.base.value !== undefined,
  ),

  'limit-added': schemaRule('request', 'Requests that were accepted are rejected.', (change) => {
    const { base, revision } = change;
    if (change.property?.startsWith('x-required-in.')) return hasOthers(words(revision.value), words(base.value));
    if (modified(change, 'x-time.after', 'x-time.not_before')) return revision.value !== undefined;
    if (!modified(change, 'x-time.max_ahead', 'x-time.max_ahead_of_item')) return false;
    if (base.value === undefined) return true;
    return revision.value !== undefined && seconds(revision.value) < seconds(base.value);
  }),

  // Replaces Redocly's `enum-values-added`, which does not know open enumerations. Without `enum` any value is possible.
  'closed-enum-extended': schemaRule('response', 'Clients rely on the complete list of values.', (change) => {
    const { base, revision, node } = change;
    if (!modified(change, 'enum') || base.value === undefined || isOpen(node.base)) return false;
    return revision.value === undefined || hasOthers(revision.value, base.value);
  }),

  'enum-opened': schemaRule(
    'response',
    'Clients rely on the complete list of values.',
    (change) => modified(change, 'x-extensible-enum') && change.revision.value === true,
  ),

  'response-value-removed': schemaRule(
    'response',
    'Clients that wait for the value wait forever.',
    (change) => modified(change, 'enum') && hasOthers(change.base.value, change.revision.value),
  ),

  'response-header-optional': rule(
    'Clients rely on the header.',
    ['Response', 'Header'],
    (change) => modified(change, 'required') && change.base.value === true,
  ),

  'sunset-earlier': rule(
    'Clients rely on the time until the sunset.',
    ['any'],
    ({ property = '', base, revision }) =>
      /^deprecated\b/.test(property) &&
      base.value !== undefined &&
      String(revision.value).slice(0, 10) < String(base.value).slice(0, 10), // the date
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

  // Requests stay the same, but generated clients name their arguments after the template.
  'path-parameter-renamed': rule('Calls of generated clients no longer compile.', ['Paths', 'PathItem'], (change) =>
    modified(change, 'key'),
  ),
};

const plugin = (): object => ({ id: 'waybill', diff: { oas3: rules } });
export default plugin;
