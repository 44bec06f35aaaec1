/**
 * A document, or a part of it, in which open enumerations have only the values of this version: the service returns no
 * others. `discriminator` is removed, because each variant of a union has a constant.
 */
export const withKnownValues = <Node>(node: Node): Node => JSON.parse(JSON.stringify(node, knownValues));

function knownValues(key: string, node: unknown): unknown {
  if (key === 'discriminator') return undefined;
  if (typeof node !== 'object' || node === null || !('x-extensible-enum' in node)) return node;
  return { ...node, enum: node['x-extensible-enum'] };
}
