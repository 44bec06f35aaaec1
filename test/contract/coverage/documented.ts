import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { at, type ContractOperation, contractOperations, problemCodes } from '../../fixtures/contract/contract.ts';
import type { Received, Sent } from '../../fixtures/requests/send.ts';

export interface Exchange {
  operation: ContractOperation;
  sent: Sent;
  received: Received;
}

/** A schema of the bundle, with references to named components. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** What a schema documents, such as `Shipment.notes` and `TrackingStatus.eta null`; of a value only what it has. */
function* fieldsOf(schema: Schema, name: string, value?: unknown): Generator<string> {
  const { $ref, type, properties = {}, items, anyOf = [] } = schema;
  if ($ref) yield* fieldsOf(at($ref) as Schema, $ref.split('/').at(-1) ?? '', value);
  if (value === null || (value === undefined && [type].flat().includes('null'))) yield `${name} null`;
  if (value === null) return;
  const branches = anyOf.filter((branch) => value === undefined || branch.type !== 'null');
  for (const branch of branches) yield* fieldsOf(branch, name, value);
  for (const [key, property] of Object.entries(properties)) {
    const inner = (value as Record<string, unknown> | undefined)?.[key];
    if (value !== undefined && inner === undefined) continue;
    if (inner !== null) yield `${name}.${key}`;
    yield* fieldsOf(property, `${name}.${key}`, inner);
  }
  const list = items ? ((value as unknown[] | undefined) ?? [undefined]) : [];
  for (const item of list) yield* fieldsOf(items as Schema, `${name}[]`, item);
}

const paths = contract.paths as unknown as Record<string, Record<string, { responses: Record<string, Response> }>>;
type Response = { $ref?: string; content?: Record<string, { schema?: Schema }> };

/** The documented fields of a response; none for a file and an empty body. */
function fieldsOfResponse({ id, path, method }: ContractOperation, status: number | string, body?: unknown): string[] {
  const response = paths[path]?.[method.toLowerCase()]?.responses[status];
  const { content = {} } = response?.$ref ? (at(response.$ref) as Response) : (response ?? {});
  return Object.values(content).flatMap(({ schema }) => (schema ? [...fieldsOf(schema, id, body)] : []));
}

/** Everything that the contract documents: responses, their headers, media types, problem codes and fields. */
export const documented = new Set(
  contractOperations.flatMap((operation) =>
    Object.entries(operation.responses).flatMap(([status, response]) => {
      const { headers = {}, content = {} } = response;
      const names = [...Object.keys(headers), ...Object.keys(content), ...problemCodes(response), ''];
      const items = names.map((name) => `${operation.id} ${status} ${name.toLowerCase()}`);
      return [...items, ...fieldsOfResponse(operation, status)];
    }),
  ),
);

export function returned({ operation, received: { status, headers, code = '', body } }: Exchange): string[] {
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  const items = [...headers.keys(), type, code, ''].map((name) => `${operation.id} ${status} ${name}`);
  return [...items, ...(body === undefined ? [] : fieldsOfResponse(operation, status, body))];
}
