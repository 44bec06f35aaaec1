import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { at, contractOperations, type OperationId, operationOf } from '../../fixtures/contract.ts';

/** A schema of the bundle, with references to named components. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

const paths = contract.paths as unknown as Record<string, Record<string, { responses: Record<string, unknown> }>>;

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? '';

/** The schema of a response as the bundle has it; undefined for a file and an empty body. */
function schemaOf(id: OperationId, status: number | string): Schema | undefined {
  const operation = operationOf(id);
  let response = paths[operation.path]?.[operation.method.toLowerCase()]?.responses[status] as
    | { $ref?: string; content?: Record<string, { schema?: Schema }> }
    | undefined;
  if (response?.$ref) response = at(response.$ref) as typeof response;
  return Object.values(response?.content ?? {})[0]?.schema;
}

type Show = (what: string) => void;

/**
 * Calls `show` with what a schema documents, such as `Shipment.notes` and `TrackingStatus.eta null`.
 * @param value limits the calls to what this value has
 */
function forEachField(schema: Schema, show: Show, name: string, value?: unknown): void {
  const { $ref, type, properties = {}, items, anyOf = [] } = schema;
  if ($ref) forEachField(at($ref) as Schema, show, nameOf($ref), value);
  if (value === null) {
    show(`${name} null`);
    return;
  }
  if (value === undefined && [type].flat().includes('null')) show(`${name} null`);
  for (const branch of anyOf)
    if (value === undefined || branch.type !== 'null') forEachField(branch, show, name, value);
  for (const [key, property] of Object.entries(properties)) {
    const inner = value && (value as Record<string, unknown>)[key];
    if (value !== undefined && inner === undefined) continue;
    if (inner !== null) show(`${name}.${key}`);
    forEachField(property, show, `${name}.${key}`, inner);
  }
  for (const item of items ? ((value as unknown[] | undefined) ?? [undefined]) : []) {
    forEachField(items as Schema, show, `${name}[]`, item);
  }
}

/** Every documented field of every response, and whether it can be null. */
export const documented: Set<string> = new Set();
for (const { id, responses } of contractOperations) {
  for (const status of Object.keys(responses)) {
    const schema = schemaOf(id, status);
    if (schema) forEachField(schema, (what) => documented.add(what), id);
  }
}

/** The documented fields that a response has. */
export function fieldsOfResponse(id: OperationId, { status, body }: { status: number; body: unknown }): Set<string> {
  const shown = new Set<string>();
  const schema = schemaOf(id, status);
  if (schema && body !== undefined) forEachField(schema, (what) => shown.add(what), id, body);
  return shown;
}
