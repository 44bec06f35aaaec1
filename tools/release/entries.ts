import type { Document, Operation } from './document.ts';
import { code, locationName } from './locations.ts';

export type Section = 'Added' | 'Changed' | 'Deprecated' | 'Removed';
export interface Entry {
  section: Section;
  text: string;
}

/** A change in the report of `redocly diff`. */
export interface Difference {
  kind: 'added' | 'removed' | 'modified';
  typeName: string;
  property?: string;
  base?: Side;
  revision?: Side;
  verdicts: { ruleId: string; impact: string; message: string }[];
}

interface Side {
  pointer: string;
  value?: unknown;
}

const proseTypes = ['Info', 'License', 'Contact', 'Tag', 'TagList', 'Example', 'ExamplesMap', 'ExternalDocs'];
const proseProperties = ['description', 'summary', 'title', 'tags', 'example', 'examples', 'x-enumDescriptions'];

/** A specification extension with a table, or outside a schema: `extensions.ts` rates it. */
export const isExtension = ({ typeName, property = '' }: Difference): boolean =>
  typeName === 'SpecExtension' || (typeName !== 'Schema' && property.startsWith('x-'));

/** A text for people. A new component is not a change by itself: its use is. */
export const isProse = ({ typeName, property, kind, base, revision }: Difference): boolean =>
  proseTypes.includes(typeName) ||
  proseProperties.includes(property ?? '') ||
  (kind !== 'modified' && /^#\/components\/\w+\/[^/]+$/.test((revision ?? base)?.pointer ?? ''));

/** The changelog entries of a difference. */
export function entriesOf(difference: Difference, released: Document, revision: Document): Entry[] {
  const { kind, typeName, verdicts } = difference;
  const document = kind === 'removed' ? released : revision;
  const { pointer, value } = (kind === 'removed' ? difference.base : difference.revision) as Side;
  if (kind === 'modified') {
    const { property = '', base } = difference;
    const where = locationOf(difference, released, revision);
    if (typeName === 'SecurityRequirement') {
      return changed(where, ` needs the scope ${list(value)}; it needed ${list(base?.value)}`);
    }
    return modified(property, base?.value, value, where);
  }
  const section = kind === 'added' ? 'Added' : 'Removed';
  if (typeName === 'PathItem' || typeName === 'Operation') {
    const operations = typeName === 'PathItem' ? Object.entries(value as Record<string, Operation>) : [];
    const [, , path = '', method = ''] = pointer.split('/').map((key) => key.replaceAll('~1', '/'));
    if (typeName === 'Operation') operations.push([method, value as Operation]);
    return operations.map(([verb, { operationId, summary }]) => ({
      section,
      text: `${code(operationId)}, ${code(`${verb.toUpperCase()} ${path}`)}: ${summary}.`,
    }));
  }
  if (typeName === 'SecurityRequirement') {
    const added = verdicts.length > 0 ? 'needs a key' : 'accepts another kind of key';
    const does = kind === 'added' ? added : 'no longer needs a key';
    return [{ section: 'Changed', text: `${upper(locationName(document, pointer))} ${does}.` }];
  }
  return [{ section, text: `${upper(locationName(document, pointer))}.` }];
}

/** A removed property exists only in the released document. */
function locationOf({ base, revision, property }: Difference, released: Document, document: Document): string {
  const gone = revision?.value === undefined || property === 'key';
  const pointer = ((gone ? base : revision) as Side).pointer;
  const owner = property === 'key' ? pointer : pointer.replace(new RegExp(`/${property}$`), '');
  return locationName(gone ? released : document, owner);
}

const changed = (where: string, text: string): Entry[] => [{ section: 'Changed', text: `${upper(where)}${text}.` }];

/** Entries for a changed property. `before` and `after` are undefined where it is missing. */
export function modified(property: string, before: unknown, after: unknown, where: string): Entry[] {
  if (Array.isArray(before) && Array.isArray(after) && ['enum', 'required'].includes(property)) {
    return listed(property, without(after, before), without(before, after), where);
  }
  if (property === 'deprecated' && after === true) return [{ section: 'Deprecated', text: `${upper(where)}.` }];
  if (property === 'required') return changed(where, after ? ' is now required' : ' is no longer required');
  if (property === 'key') return changed(where, ` is now ${code(after)}`);
  if (property === 'type') return changed(where, ` is ${list(after, any)}; it was ${list(before, any)}`);
  if (after === undefined) return changed(where, `: ${code(property)} removed; it was ${list(before)}`);
  return changed(
    where,
    `: ${code(property)} is ${list(after)}${before === undefined ? '' : `; it was ${list(before)}`}`,
  );
}

/** One entry for each value of an enumeration or field of `required`. */
function listed(property: string, gained: string[], lost: string[], where: string): Entry[] {
  if (property === 'enum') {
    const value = (section: Section) => (one: string) => ({ section, text: `The value ${code(one)} of ${where}.` });
    return [...gained.map(value('Added')), ...lost.map(value('Removed'))];
  }
  const isSchema = /^`[^` ]+`$/.test(where);
  const field = (name: string): string =>
    isSchema ? code(`${where.slice(1, -1)}.${name}`) : `${code(name)} in ${where}`;
  return [
    ...gained.map((name): Entry => ({ section: 'Changed', text: `${field(name)} is now required.` })),
    ...lost.map((name): Entry => ({ section: 'Changed', text: `${field(name)} is no longer required.` })),
  ];
}

const without = (values: string[], others: string[]): string[] => values.filter((value) => !others.includes(value));

const all = new Intl.ListFormat('en');
const any = new Intl.ListFormat('en', { type: 'disjunction' });
const list = (value: unknown, words = all): string => words.format([value].flat().map(code));

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
