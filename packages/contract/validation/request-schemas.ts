import { dereferenced } from '../dereferenced.ts';
import document from '../generated/openapi.json' with { type: 'json' };
import { operationTable } from '../generated/operations.ts';

type OperationId = keyof typeof operationTable;

/** The schema of a part whose values are strings, with a property for each parameter. */
export interface ParameterSchema {
  type: 'object';
  properties: Record<string, { type?: string; default?: number; maximum?: number }>;
  required: string[];
}

/** The schemas of an operation's requests, without references. */
export interface RequestSchemas {
  path: ParameterSchema;
  query: ParameterSchema;
  headers: ParameterSchema;
  /** Undefined for an operation without a JSON body. */
  body: object | undefined;
  /** The media types of the body; empty for an operation without one. */
  contentTypes: string[];
}

interface OperationObject {
  parameters?: object[];
  requestBody?: { content: object };
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: ParameterSchema['properties'][string];
}

/** Reads the schemas of an operation's requests from the contract. */
export function requestSchemas(id: OperationId): RequestSchemas {
  const { path, method } = operationTable[id];
  const operations = document.paths as unknown as Record<string, Record<string, OperationObject>>;
  const operation = operations[path]?.[method.toLowerCase()];
  const parameters = dereferenced(operation?.parameters ?? []) as Parameter[];
  const schemaOf = (place: string): ParameterSchema => {
    const own = parameters.filter((parameter) => parameter.in === place);
    return {
      type: 'object',
      properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
      required: own.flatMap(({ name, required }) => (required ? name : [])),
    };
  };
  const content = dereferenced(operation?.requestBody?.content ?? {}) as Record<string, { schema?: object }>;
  return {
    path: schemaOf('path'),
    query: schemaOf('query'),
    headers: schemaOf('header'),
    body: content['application/json']?.schema,
    contentTypes: Object.keys(content),
  };
}

/** The names of the specification extensions that the contract uses. */
export const extensionNames = (): Set<string> =>
  new Set([...JSON.stringify(document).matchAll(/"(x-[A-Za-z-]+)":/g)].map(([, name]) => name ?? ''));
