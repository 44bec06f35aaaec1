/** Part of a document → the same with known values. Parts that are one object remain one. */
const copies = new WeakMap<object, unknown>();

/**
 * A document, or a part of it, in which open enumerations have only the values of this version: the service returns no
 * others. `discriminator` is removed, because each variant of a union has a constant.
 */
export function withKnownValues<Node>(node: Node): Node {
  if (typeof node !== 'object' || node === null) return node;
  const copy = copies.get(node) ?? copyOf(node);
  copies.set(node, copy);
  return copy as Node;
}

function copyOf(node: object): unknown {
  if (Array.isArray(node)) return node.map(withKnownValues);
  const { discriminator: _, ...others } = node as Record<string, unknown>;
  const copy = Object.fromEntries(Object.entries(others).map(([key, value]) => [key, withKnownValues(value)]));
  return 'x-extensible-enum' in copy ? { ...copy, enum: copy['x-extensible-enum'] } : copy;
}
