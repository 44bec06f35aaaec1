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
