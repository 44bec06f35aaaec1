import document from '../generated/openapi.json' with { type: 'json' };
import { operationTable } from '../generated/operations.ts';

type OperationId = keyof typeof operationTable;

/** The schema of a part whose values are strings, with a property for each parameter. */
export interface ParameterSchema {
  type: 'object';
  properties: Record<string, { type?: string }>;
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
  parameters?: { name: string; in: string; required?: boolean; schema: { type?: string } }[];
  requestBody?: { content: Record<string, { schema?: object }> };
}
type Node = Record<string, unknown>;

/** Reads the schemas of an operation's requests from the contract. */
export function requestSchemas(id: OperationId): RequestSchemas {
  const { path, method } = operationTable[id];
  const { parameters: shared = [], [method.toLowerCase()]: operation } = at(['paths', path]) as Node;
  const { parameters = [], requestBody } = dereferenced(operation) as OperationObject;
  const all = [...(dereferenced(shared) as typeof parameters), ...parameters];
  const schemaOf = (place: string): ParameterSchema => {
    const own = all.filter((parameter) => parameter.in === place);
    return {
      type: 'object',
      properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
      required: own.flatMap(({ name, required }) => (required ? name : [])),
    };
  };
  const content = requestBody?.content ?? {};
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

const at = (steps: string[]): unknown => steps.reduce<unknown>((node, step) => (node as Node)[step], document);

/** Replaces the references of the bundle, all of which are internal, at every depth. */
export function dereferenced(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(dereferenced);
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node && typeof node.$ref === 'string') {
    const steps = node.$ref.slice('#/'.length).split('/');
    return dereferenced(at(steps.map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'))));
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, dereferenced(value)]));
}
