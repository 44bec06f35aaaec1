import { dereferenced } from '@waybill/contract/dereferenced';
import { withKnownValues } from '@waybill/contract/known-values';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { operationTable } from '@waybill/contract/operations';
import type { OperationId } from '@waybill/http/operations';

interface Schema {
  type?: unknown;
  properties?: object;
  maxProperties?: number;
  maxItems?: number;
  pattern?: string;
}

/** The most items of a random array. */
const maxItems = 3;

/** The contract with one operation only: Prism takes half a second for all of them. */
export function documentOf(id: OperationId): object {
  const { method, path } = operationTable[id];
  const paths = document.paths as unknown as Record<string, Record<string, object>>;
  const operation = withoutDefects(withKnownValues(dereferenced(paths[path]?.[method.toLowerCase()]))) as object;
  const { openapi, info } = document;
  return { openapi, info, paths: { [path]: { [method.toLowerCase()]: { ...operation, security: [] } } } };
}

/**
 * Adapts schemas to defects of json-schema-faker, with which Prism makes random bodies:
 *
 * - It adds properties with random names to every object that permits them. Some are names of properties whose schema the
 *   value then breaks.
 * - It ignores `maxProperties`.
 * - It does not know the classes of patterns, such as `\p{L}`: without the pattern it makes words, which are visible text.
 * - It fills arrays up to their limit: a page of events takes half a second. The contract requires at most one item.
 */
function withoutDefects(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutDefects);
  if (typeof node !== 'object' || node === null) return node;
  const copy: Schema = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withoutDefects(value)]));
  if (copy.pattern?.includes('\\p{')) delete copy.pattern;
  if (copy.type === 'array') return { ...copy, maxItems: Math.min(copy.maxItems ?? maxItems, maxItems) };
  const isObject = copy.type === 'object' && (copy.properties !== undefined || copy.maxProperties !== undefined);
  return isObject ? { ...copy, additionalProperties: false } : copy;
}
