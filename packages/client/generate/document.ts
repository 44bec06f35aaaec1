/** The parts of the bundled contract that the client is made from. */
export interface Document {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    responses: Record<string, Response>;
    examples: Record<string, { value: unknown }>;
  };
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  pattern?: string;
  enum?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  examples?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  'x-extensible-enum'?: string[];
  'x-problems'?: Record<string, { members?: string[] }>;
  'x-lifecycle'?: Record<string, { rank: number; from?: string[] }>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  schema: Schema;
  example: unknown;
}

interface Header {
  $ref?: string;
  required?: boolean;
  example?: unknown;
}

interface Content {
  schema: Schema;
  examples?: Record<string, { $ref: string }>;
}

export interface Response {
  $ref?: string;
  description: string;
  headers?: Record<string, Header>;
  content?: Record<string, Content>;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  deprecated?: boolean;
  security: { apiKey?: string[] }[];
  parameters?: { $ref: string }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Response>;
}

export const nameIn = ($ref = ''): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** The component that a reference leads to; anything else as it is. */
export const resolve = <T extends { $ref?: string }>(components: Record<string, T>, value: T): T =>
  components[nameIn(value.$ref)] ?? value;

/** An operation with its references resolved. */
export interface OperationRow extends Omit<Operation, 'parameters' | 'responses'> {
  method: string;
  path: string;
  /** Null for an operation with a signed URL instead of an API key. */
  scope: string | null;
  parameters: Parameter[];
  responses: Record<string, Response>;
  /** The JSON schema of the request body, `file`, or null. */
  body: Schema | 'file' | null;
}

export const operationsOf = ({ paths, components }: Document): OperationRow[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      scope: operation.security[0]?.apiKey?.[0] ?? null,
      parameters: (operation.parameters ?? []).map(({ $ref }) => components.parameters[nameIn($ref)] as Parameter),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, value]) => [status, resolve(components.responses, value)]),
      ),
      body: bodyOf(components, operation),
    })),
  );

function bodyOf({ schemas }: Document['components'], { requestBody }: Operation): OperationRow['body'] {
  if (!requestBody) return null;
  const json = requestBody.content['application/json'];
  return json ? resolve(schemas, json.schema) : 'file';
}
