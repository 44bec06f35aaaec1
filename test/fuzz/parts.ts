import { contractOperations, type OperationId } from '../fixtures/contract.ts';
import type { Schema } from './schema.ts';

/** A part of an operation's request as one schema; parameters become an object. */
export interface Part {
  operation: OperationId;
  in: 'path' | 'query' | 'headers' | 'body';
  schema: Schema;
}

/** All parts of all operations. Every operation has a query, which may accept no parameter. */
export const contractParts: Part[] = contractOperations.flatMap(({ id, parameters, bodySchema }): Part[] => {
  const objectOf = (place: string): Schema => {
    const some = parameters.filter((parameter) => parameter.in === place);
    return {
      type: 'object',
      properties: Object.fromEntries(some.map(({ name, schema }) => [name, schema])),
      required: some.flatMap(({ name, required }) => (required ? [name] : [])),
    };
  };
  return [
    { operation: id, in: 'path', schema: objectOf('path') },
    { operation: id, in: 'query', schema: { ...objectOf('query'), additionalProperties: false } },
    { operation: id, in: 'headers', schema: objectOf('header') },
    ...(bodySchema ? [{ operation: id, in: 'body', schema: bodySchema } as const] : []),
  ];
});

export const schemaOf = (id: OperationId, place: Part['in']): Schema =>
  contractParts.find((part) => part.operation === id && part.in === place)?.schema ?? {};

/** The schema of one parameter, or of one field of a body. */
export const fieldOf = (id: OperationId, place: Part['in'], name: string): Schema =>
  schemaOf(id, place).properties?.[name] ?? {};
