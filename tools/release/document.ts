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
