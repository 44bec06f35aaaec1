import type { Document, Operation } from './document.ts';
import { code } from './extensions.ts';
import { locationName } from './locations.ts';

export type Section = 'Added' | 'Changed' | 'Deprecated' | 'Removed';
export interface Entry {
  section: Section;
  text: string;
  /** The part of the changed node that the entry is about: a method of a path or a value of an enumeration. */
  part?: string;
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
const proseProperties = ['description', 'summary', 'title', 'tags', 'example', 'examples'];

/** A text for people. A new component is not a change by itself: its use is. */
export const isProse = ({ typeName, property, kind, base, revision }: Difference): boolean =>
  proseTypes.includes(typeName) ||
  proseProperties.includes(property ?? '') ||
  (kind !== 'modified' && /^#\/components\/\w+\/[^/]+$/.test((revision ?? base)?.pointer ?? ''));

/** The changelog entries of a difference. */
export function entriesOf(difference: Difference, released: Document, revision: Document): Entry[] {
  if (difference.typeName === 'SpecExtension') return rowEntries(difference);
  if (difference.kind === 'modified') return modified(difference, released, revision);
  const { kind, typeName, verdicts } = difference;
  const isAdded = kind === 'added';
  const { pointer, value } = (isAdded ? difference.revision : difference.base) as Side;
  const where = upper(variantName(pointer, value) + locationName(isAdded ? revision : released, pointer));
  if (typeName === 'SecurityRequirement') {
    const added = verdicts.length > 0 ? 'needs a key' : 'accepts another kind of key';
    const removed = 'accessToken' in (value as object) ? 'no longer accepts access tokens' : 'no longer needs a key';
    return [{ section: 'Changed', text: `${where} ${isAdded ? added : removed}.` }];
  }
  const section = isAdded ? 'Added' : 'Removed';
  const [, , path = '', method = ''] = pointer.split('/').map((key) => key.replaceAll('~1', '/'));
  const operationEntry = ([verb, { operationId, summary }]: [string, Operation]): Entry => ({
    section,
    text: `${code(operationId)}, ${code(`${verb.toUpperCase()} ${path}`)}: ${summary}.`,
    part: verb,
  });
  if (typeName === 'PathItem') return Object.entries(value as Record<string, Operation>).map(operationEntry);
  if (typeName === 'Operation') return [operationEntry([method, value as Operation])];
  return [{ section, text: `${where}.` }];
}

/** A variant of a `oneOf` has a constant, such as its type. */
function variantName(pointer: string, schema: unknown): string {
  if (!/\/oneOf\/\d+$/.test(pointer)) return '';
  const { properties = {} } = schema as { properties?: Record<string, { const?: unknown }> };
  const constant = Object.values(properties).find((property) => property.const !== undefined);
  return constant ? `the variant ${code(constant.const)} of ` : '';
}

/** Rows of a table in a specification extension: one row, or all rows of a table that is added or removed. */
function rowEntries({ property, base, revision }: Difference): Entry[] {
  const rows = ({ value }: Side = { pointer: '' }): Record<string, unknown> =>
    property === undefined ? Object(value) : { [property]: value };
  const [before, after] = [rows(base), rows(revision)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((row) => {
    if (before[row] === undefined) return { section: 'Added', text: `${row}.` };
    if (after[row] === undefined) return { section: 'Removed', text: `${row}.` };
    return { section: 'Changed', text: `${row}: ${after[row]}; it was ${before[row]}.` };
  });
}

/** A removed property exists only in the released document. */
function locationOf({ base, revision, property }: Difference, released: Document, document: Document): string {
  const isInReleased = revision?.value === undefined || property === 'key';
  const pointer = ((isInReleased ? base : revision) as Side).pointer;
  const owner = property === 'key' ? pointer : pointer.replace(new RegExp(`/${property}$`), '');
  return locationName(isInReleased ? released : document, owner);
}

/** Entries for a changed property. Its value is undefined where it is missing. */
function modified(difference: Difference, released: Document, revision: Document): Entry[] {
  const { typeName, property = '', base, revision: now } = difference;
  const [before, after] = [base?.value, now?.value];
  const where = locationOf(difference, released, revision);
  const changed = (text: string): Entry[] => [{ section: 'Changed', text: `${upper(where)}${text}.` }];
  if (typeName === 'SecurityRequirement') {
    return changed(` needs the scope ${list(after)}; it needed ${list(before)}`);
  }
  if (Array.isArray(before) && Array.isArray(after) && ['enum', 'required'].includes(property)) {
    return listed(property, without(after, before), without(before, after), where);
  }
  const [isDeprecation, name] = /^deprecated\.?(.*)$/.exec(property) ?? [];
  if (isDeprecation !== undefined) {
    const what = upper(name ? `the value ${code(name)} of ${where}` : where);
    if (after === undefined) return [{ section: 'Changed', text: `${what} is no longer deprecated.` }];
    if (before !== undefined) return [{ section: 'Changed', text: `${what} is deprecated until ${after}` }];
    return [{ section: 'Deprecated', text: `${what}, until ${after}`, ...(name && { part: name }) }];
  }
  if (property === 'required') return changed(after ? ' is now required' : ' is no longer required');
  if (property === 'key') return changed(` is now ${code(after)}`);
  if (property === 'type') return changed(` is ${list(after, any)}; it was ${list(before, any)}`);
  if (after === undefined) return changed(`: ${code(property)} removed; it was ${list(before)}`);
  const was = before === undefined ? '' : `; it was ${list(before)}`;
  return changed(`: ${code(property)} is ${list(after)}${was}`);
}

/** One entry for each value of an enumeration or field of `required`. */
function listed(property: string, gained: string[], lost: string[], where: string): Entry[] {
  const entry = (section: Section, text: string): Entry => ({ section, text: `${text}.` });
  if (property === 'enum') {
    const value = (section: Section) => (name: string) => ({
      ...entry(section, `The value ${code(name)} of ${where}`),
      part: name,
    });
    return [...gained.map(value('Added')), ...lost.map(value('Removed'))];
  }
  const isSchema = /^`[^` ]+`$/.test(where);
  const field = (name: string): string =>
    isSchema ? code(`${where.slice(1, -1)}.${name}`) : `${code(name)} in ${where}`;
  return [
    ...gained.map((name) => entry('Changed', `${field(name)} is now required`)),
    ...lost.map((name) => entry('Changed', `${field(name)} is no longer required`)),
  ];
}

const without = (values: string[], others: string[]): string[] => values.filter((value) => !others.includes(value));

const all = new Intl.ListFormat('en');
const any = new Intl.ListFormat('en', { type: 'disjunction' });
const list = (value: unknown, words = all): string => words.format([value].flat().map(code));

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
