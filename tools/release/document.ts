/** The parts of an OpenAPI document that the release command reads. */
export interface Document {
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
}

export interface Operation {
  operationId: string;
  summary: string;
}

/** What `x-deprecation` says. Dates are `YYYY-MM-DD`. */
export interface Deprecation {
  since: string;
  sunset: string;
  instead: string;
}

export const isNode = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The keys of a JSON pointer in its fragment form, `#/paths/~1shipments`. */
export const keysOf = (pointer: string): string[] =>
  pointer
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The value at these keys. Follows references; the bundle has only internal ones. */
export function at(document: Document, keys: string[]): unknown {
  let node: unknown = document;
  for (const key of keys) {
    node = (node as Record<string, unknown> | undefined)?.[key];
    const ref = (node as { $ref?: unknown } | undefined)?.$ref;
    if (typeof ref === 'string') node = at(document, keysOf(ref));
  }
  return node;
}

/**
 * The deprecation of a part, or of what it is in. Undefined for neither.
 * @param keys of the part
 * @param value of an enumeration
 */
export function deprecationOf(document: Document, keys: string[], value = ''): Deprecation | undefined {
  const nodes = keys.map((_, index) => Object(at(document, keys.slice(0, index + 1))));
  return nodes.map((node) => node['x-enumDeprecations']?.[value] ?? node['x-deprecation']).findLast(Boolean);
}
