/** The contract's own words, `x-…`: `redocly diff` reports some of them and knows of none what it promises. */
import type { Change } from './change.ts';
import { code } from './places.ts';
import { modified } from './sentences.ts';
import { tableChanges } from './tables.ts';

/** Word → what its number is the most of, in requests. */
const limits: Record<string, string> = { 'x-max-body': 'the bytes of a JSON body' };

/** Read by people alone. */
const prose = ['x-enumDescriptions'];

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What changed in the words of what both documents have. What is new or gone as a whole is told by itself. */
export function wordChanges(before: unknown, after: unknown, keys: string[] = []): Change[] {
  if (!isNode(before) || !isNode(after)) return [];
  const hasNames = ['properties', 'headers'].includes(keys.at(-1) ?? '');
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    if (!hasNames && ['example', 'examples'].includes(key)) return [];
    const [old, now, where] = [before[key], after[key], [...keys, key]];
    if (hasNames || !key.startsWith('x-')) return wordChanges(old, now, where);
    return prose.includes(key) || same(old, now) ? [] : changesOf(key, where, old, now);
  });
}

function changesOf(word: string, keys: string[], before: unknown, after: unknown): Change[] {
  const pointer = `#/${keys.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
  if (isNode(before) || isNode(after)) return tableChanges(word, pointer, before ?? {}, after ?? {});
  if (keys[1] === 'schemas' || keys.includes('schema')) return []; // Redocly and its rules see it
  const limited = limits[word];
  if (limited === undefined) {
    const text = `${code(word)}; say in tools/release/words.ts what it promises.`;
    return [{ section: 'Changed', text, impact: 'major', pointer, why: 'word-changed: Clients may rely on it.' }];
  }
  const [old, now] = [before, after].map((value) => Number(value ?? Number.POSITIVE_INFINITY));
  const isLower = !(Number(now) >= Number(old));
  const impact = isLower ? 'major' : 'minor';
  const why = isLower ? 'limit-lowered: Requests that were accepted are refused.' : '';
  return modified(word, before, after, limited).map((sentence) => ({ ...sentence, impact, pointer, why }));
}
