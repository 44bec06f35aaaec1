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

/**
 * Throws a `TypeError` for an API key that cannot be sent: one read from a file often ends with a line break. The error of `fetch` would
 * show it.
 */
export function checkKey(key: string): string {
  if (typeof key === 'string' && /^[\w.~+/-]+=*$/.test(key)) return key;
  throw new TypeError('apiKey is malformed. Check for quotes and line breaks.');
}

/** Whether a value is a Blob, of any realm: edge runtimes and test environments have constructors of their own. */
export const isBlob = (value: unknown): value is Blob => typeof (value as Blob | null)?.arrayBuffer === 'function';

/** A copy of the bytes of an `ArrayBuffer` or of a view of one, of any realm; undefined for another value. */
export function bytesOf(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  const isBuffer = Object.prototype.toString.call(value) === '[object ArrayBuffer]';
  return isBuffer ? new Uint8Array(value as ArrayBuffer).slice() : undefined;
}
