import document from '../generated/openapi.json' with { type: 'json' };

type Node = Record<string, unknown>;

/** Reference → its target without references. Each target is one object, so that it is compiled once. */
const targets = new Map<string, unknown>();

/** Replaces the references of the bundled contract, all of which are internal, at every depth. */
export function dereferenced(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(dereferenced);
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node && typeof node.$ref === 'string') return target(node.$ref);
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, dereferenced(value)]));
}

function target(ref: string): unknown {
  if (!targets.has(ref)) {
    const steps = ref.slice('#/'.length).split('/');
    const keys = steps.map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
    targets.set(ref, dereferenced(keys.reduce<unknown>((node, key) => (node as Node)[key], document)));
  }
  return targets.get(ref);
}
