import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { operations } from '@waybill/contract/operations';

export type OperationId = keyof typeof operations;
export const operationIds = Object.keys(operations) as OperationId[];

export interface ContractOperation {
  id: OperationId;
  method: string;
  /** The template, such as `/shipments/{shipment_id}`. */
  path: string;
  scope: string | null;
  parameters: { name: string; in: string; required?: boolean; schema: Schema; example?: unknown }[];
  /** The media types that its body may have. */
  contentTypes: string[];
  /** Of its JSON body, if it has one. */
  bodySchema: Schema | undefined;
  /** The first request example of its JSON body. */
  body: unknown;
  /** Status → response. */
  responses: Record<string, ContractResponse>;
}

type Schema = Record<string, unknown>;

export interface ContractResponse {
  headers?: Record<string, { required?: boolean; schema: Schema }>;
  /** By media type; a file has no schema. */
  content?: Record<string, { schema?: Schema; examples?: Record<string, { value: unknown }> }>;
}

type Node = Record<string, unknown>;

export const problemType = 'application/problem+json';

/** The codes that a response's problems may have: a rule of the contract wants an example of each. */
export function problemCodes({ content = {} }: ContractResponse): string[] {
  const examples = Object.values(content[problemType]?.examples ?? {});
  return [...new Set(examples.map(({ value }) => (value as { code: string }).code))];
}

/** Follows the references of the bundle, all of which are internal, at every depth. */
export function dereferenced(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(dereferenced);
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node && typeof node.$ref === 'string') return dereferenced(at(node.$ref));
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, dereferenced(value)]));
}

/** What a reference of the bundle leads to. */
export function at(ref: string): unknown {
  const keys = ref.slice(2).split('/');
  return keys.reduce<unknown>((node, key) => (node as Node)[key.replace(/~1/g, '/').replace(/~0/g, '~')], contract);
}

/** The contract's operations as tests walk them, so that a new one cannot be forgotten. */
export const contractOperations: ContractOperation[] = operationIds.map((id) => {
  const { method, path, scope } = operations[id];
  const paths = contract.paths as unknown as Record<string, Record<string, Node>>;
  const operation = dereferenced(paths[path]?.[method.toLowerCase()]) as Node;
  const { content = {} } = (operation.requestBody ?? {}) as {
    content?: Record<string, { schema?: Schema; examples?: object }>;
  };
  const [example] = Object.values(content['application/json']?.examples ?? {});
  return {
    id,
    method,
    path,
    scope,
    parameters: (operation.parameters ?? []) as ContractOperation['parameters'],
    contentTypes: Object.keys(content),
    bodySchema: content['application/json']?.schema,
    get body() {
      return recent((example as { value?: unknown } | undefined)?.value);
    },
    responses: operation.responses as ContractOperation['responses'],
  };
});

/** Positions of an example, as of now: the service refuses old ones. */
function recent(body: unknown): unknown {
  const { positions } = (body ?? {}) as { positions?: object[] };
  if (!positions) return body;
  const updated_at = new Date().toISOString();
  return { ...(body as object), positions: positions.map((position) => ({ ...position, updated_at })) };
}

/** One of them. */
export function operationOf(id: OperationId): ContractOperation {
  const operation = contractOperations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`The contract has no ${id}`);
  return operation;
}

/** `PT5M` → milliseconds; the contract writes hours, minutes and seconds (ISO 8601). */
export function milliseconds(duration: string): number {
  const [, hours = 0, minutes = 0, seconds = 0] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(duration) ?? [];
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

/** An operation's path with its parameters filled in, from `values` or from the contract's examples. */
export function pathOf({ path, parameters }: ContractOperation, values: Record<string, string> = {}): string {
  return path.replace(/{(\w+)}/g, (_whole, name: string) =>
    encodeURIComponent(values[name] ?? String(parameters.find((parameter) => parameter.name === name)?.example)),
  );
}
