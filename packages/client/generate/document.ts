/** The parts of the bundled contract that the client is made from. The contract's lint rules allow no other keywords. */
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
  enum?: string[];
  const?: string;
  anyOf?: Schema[];
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
  'x-event-data'?: Record<string, string>;
  'x-open-enum'?: boolean;
  'x-problems'?: Record<string, { members?: string[] }>;
  'x-transitions'?: { from: string | null; to: string }[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  schema: Schema;
  example: unknown;
}

export interface Header {
  $ref?: string;
  required?: boolean;
  example?: unknown;
}

export interface Content {
  schema: Schema;
  examples?: Record<string, { $ref: string }>;
}

export interface Response {
  $ref?: string;
  description: string;
  headers?: Record<string, Header>;
  content?: Record<string, Content>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  security: { apiKey?: string[] }[];
  parameters?: { $ref: string }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Response>;
}

export const nameIn = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** The component that a reference leads to; anything else as it is. */
export function resolve<T extends { $ref?: string }>(components: Record<string, T>, value: T): T {
  const target = value.$ref === undefined ? value : components[nameIn(value.$ref)];
  if (!target) throw new Error(`${value.$ref} does not exist`);
  return target;
}

/** An operation with its references resolved. */
export interface OperationRow extends Omit<Operation, 'parameters' | 'responses'> {
  method: string;
  path: string;
  scope: string | null;
  parameters: Parameter[];
  responses: Record<string, Response>;
}

export function operationsOf({ paths, components }: Document): OperationRow[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      scope: operation.security[0]?.apiKey?.[0] ?? null,
      parameters: (operation.parameters ?? []).map(({ $ref }) => components.parameters[nameIn($ref)] as Parameter),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, value]) => [status, resolve(components.responses, value)]),
      ),
    })),
  );
}

/** Whether the response is a stream of events: the client has a method of its own for it. */
export const isStream = ({ responses }: OperationRow): boolean =>
  Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content);

/** The request body: its JSON schema, a file, or null. */
export function bodyOf({ requestBody }: OperationRow): Schema | 'file' | null {
  if (!requestBody) return null;
  return requestBody.content['application/json']?.schema ?? 'file';
}

export const parametersIn = ({ parameters }: OperationRow, place: Parameter['in']): Parameter[] =>
  parameters.filter((parameter) => parameter.in === place);

export const takesHeader = (operation: OperationRow, header: string): boolean =>
  operation.parameters.some(({ name }) => name === header);
