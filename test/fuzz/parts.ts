import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { contractOperations, dereferenced, type OperationId } from '../harness/contract.ts';
import type { Schema } from './schema.ts';

/** A part of an operation's request as one schema: of parameters, an object of them. */
export interface Part {
  operation: OperationId;
  in: 'path' | 'query' | 'header' | 'body';
  schema: Schema;
}

interface Parameter {
  name: string;
  in: Part['in'];
  required?: boolean;
  schema: Schema;
}
interface RequestBody {
  content?: Record<string, { schema?: Schema }>;
}

const bodies = new Map<OperationId, RequestBody>(
  contractOperations.map(({ id, path, method }) => {
    const paths = contract.paths as unknown as Record<string, Record<string, { requestBody?: unknown }>>;
    return [id, (dereferenced(paths[path]?.[method.toLowerCase()]?.requestBody) ?? {}) as RequestBody];
  }),
);

/** What the body of an operation may be: JSON or the types of a file. */
export const contentTypes = (id: OperationId): string[] => Object.keys(bodies.get(id)?.content ?? {});
export const bodySchema = (id: OperationId): Schema | undefined =>
  bodies.get(id)?.content?.['application/json']?.schema;

/** All parts that requests have, operation by operation. Every operation has a query, be it only one that is closed. */
export const contractParts: Part[] = contractOperations.flatMap(({ id, parameters }): Part[] => {
  const all = parameters as Parameter[];
  const ofPlace = (place: Part['in'], closed: boolean): Part => {
    const some = all.filter((parameter) => parameter.in === place);
    const schema: Schema = {
      type: 'object',
      properties: Object.fromEntries(some.map((parameter) => [parameter.name, parameter.schema])),
      required: some.flatMap(({ name, required }) => (required ? [name] : [])),
      ...(closed && { additionalProperties: false }),
    };
    return { operation: id, in: place, schema };
  };
  const body = bodySchema(id);
  return [
    ...[ofPlace('path', false), ofPlace('query', true), ofPlace('header', false)],
    ...(body ? [{ operation: id, in: 'body' as const, schema: body }] : []),
  ];
});

export const partOf = (id: OperationId, place: Part['in']): Schema =>
  contractParts.find((part) => part.operation === id && part.in === place)?.schema ?? {};
