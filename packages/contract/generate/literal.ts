/** A value as TypeScript, for samples. */
export function literal(value: unknown): string {
  if (typeof value === 'string' && !value.includes("'")) return `'${value}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return enclosed('[', value.map(literal), ']');
  return object(Object.entries(value).map(([key, each]) => `${key}: ${literal(each)}`));
}

/** An object with these members. */
export const object = (members: string[]): string => enclosed('{ ', members, ' }');

/** Parts between brackets. A short text takes one line. */
export function enclosed(open: string, parts: string[], close: string): string {
  const short = `${open}${parts.join(', ')}${close}`;
  if (short.length <= 80 && !short.includes('\n')) return short;
  return `${open.trim()}\n${parts.join(',\n').replaceAll(/^/gm, '  ')},\n${close.trim()}`;
}
