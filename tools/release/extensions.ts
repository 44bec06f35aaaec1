/** Specification extensions, `x-…`. `redocly diff` reports some of them and cannot rate any. */
import type { Change } from './change.ts';
import { modified } from './entries.ts';
import { tableChanges } from './extension-tables.ts';
import { code } from './locations.ts';

/** Extension with a maximum for requests → what it limits. */
const limits: Record<string, string> = { 'x-max-body': 'the bytes of a JSON body' };

/** Extensions for people only. */
const prose = ['x-enumDescriptions'];

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Changes of extensions in the parts that both documents have. `redocly diff` reports new and removed parts. */
export function extensionChanges(before: unknown, after: unknown, keys: string[] = []): Change[] {
  if (!isNode(before) || !isNode(after)) return [];
  const hasNames = ['properties', 'headers'].includes(keys.at(-1) ?? '');
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    if (!hasNames && ['example', 'examples'].includes(key)) return [];
    const [old, now, where] = [before[key], after[key], [...keys, key]];
    if (hasNames || !key.startsWith('x-')) return extensionChanges(old, now, where);
    return prose.includes(key) || same(old, now) ? [] : changesOf(key, where, old, now);
  });
}

function changesOf(extension: string, keys: string[], before: unknown, after: unknown): Change[] {
  const pointer = `#/${keys.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
  if (isNode(before) || isNode(after)) return tableChanges(extension, pointer, before ?? {}, after ?? {});
  if (keys[1] === 'schemas' || keys.includes('schema')) return []; // Redocly reports it
  const limited = limits[extension];
  if (limited === undefined) {
    const text = `${code(extension)}; describe it in tools/release/extensions.ts.`;
    return [{ section: 'Changed', text, impact: 'major', pointer, why: 'extension-changed: Clients may rely on it.' }];
  }
  const [old, now] = [before, after].map((value) => Number(value ?? Number.POSITIVE_INFINITY));
  const isLower = !(Number(now) >= Number(old));
  const impact = isLower ? 'major' : 'minor';
  const why = isLower ? 'limit-lowered: Requests that were accepted are rejected.' : '';
  return modified(extension, before, after, limited).map((entry) => ({ ...entry, impact, pointer, why }));
}
