/** Checks of arguments. What JavaScript or a type assertion lets through must not be dropped silently. */

/** Throws a `TypeError` that names a key which is not among the known ones. */
export function checkKeys(what: string, values: object, known: string[]): void {
  if (typeof values !== 'object' || values === null) throw new TypeError(`${what} must be an object`);
  for (const key of Object.keys(values)) {
    if (!known.includes(key))
      throw new TypeError(`${what}: unknown key '${key}'. Known: ${known.join(', ') || 'none'}`);
  }
}

/** Throws a `TypeError` unless the value is a positive number of milliseconds. */
export function checkMilliseconds(what: string, value: number): number {
  if (!(typeof value === 'number' && value > 0)) throw new TypeError(`${what} must be a positive number, not ${value}`);
  return value;
}

/** RFC 3339 in UTC. */
export function timestamp(what: string, date: Date): string {
  if (Number.isNaN(date.getTime())) throw new TypeError(`${what} is an invalid Date`);
  return date.toISOString();
}

/** JSON with dates as timestamps. `fields`: the known fields, and whether they are required. */
export function bodyText(what: string, body: unknown, fields: Record<string, boolean>): string {
  if (typeof body !== 'object' || body === null) throw new TypeError(`${what} must be an object`);
  for (const [name, value] of Object.entries(body)) {
    // Undefined fields are not part of JSON, so the service cannot report them.
    if (value === undefined && fields[name] !== false) throw new TypeError(`${what}.${name} is undefined`);
  }
  return JSON.stringify(body, function (this: Record<string, unknown>, key, value) {
    const original = this[key];
    return original instanceof Date ? timestamp(`${what}: '${key}'`, original) : value;
  });
}

/** `?name=value`, or nothing. */
export function queryText(what: string, query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text = value instanceof Date ? timestamp(`${what}.${name}`, value) : value;
    if (!['string', 'number', 'boolean'].includes(typeof text)) {
      throw new TypeError(`${what}.${name} must be text, a number or a Date`);
    }
    return `${name}=${encodeURIComponent(text as string)}`;
  });
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** The path of an operation with its parameters, all of which are required. More values do no harm. */
export function pathText(what: string, template: string, values: Record<string, unknown> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    // An empty value or a dot segment would request another URL.
    if (typeof value !== 'string' || ['', '.', '..'].includes(value)) {
      throw new TypeError(`${what}.${name} must be an identifier, not ${JSON.stringify(value)}`);
    }
    return encodeURIComponent(value);
  });
}
