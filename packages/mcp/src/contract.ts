import type { OperationId } from '@waybill/client';
import { dereferenced } from '@waybill/contract/dereferenced';
import document from '@waybill/contract/openapi.json' with { type: 'json' };

type Schema = Record<string, unknown>;

/** The arguments of a tool, as JSON Schema. */
export interface InputSchema {
  [keyword: string]: unknown;
  type: 'object';
  properties: Record<string, Schema>;
  required: string[];
  additionalProperties: false;
}

/** What an agent reads of a tool. */
export interface Described {
  title: string;
  description: string;
  inputSchema: InputSchema;
}

interface Operation {
  operationId: OperationId;
  summary: string;
  description: string;
  parameters: { name: string; in: string; description: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Pick<InputSchema, 'properties' | 'required'> } } };
}

const operations = Object.values(document.paths).flatMap((methods): unknown[] => Object.values(methods)) as Operation[];

/**
 * Describes a tool that sends one operation. Its arguments are those in the path, the query and the body.
 * @param omitted names of arguments that the tool does not have
 */
export function operation(id: OperationId, ...omitted: string[]): Described {
  const found = operations.find(({ operationId }) => operationId === id);
  if (!found) throw new Error(`The contract has no operation ${id}`);
  const { summary: title, description, parameters, requestBody } = found;
  const named = (dereferenced(parameters) as typeof parameters).filter((parameter) => parameter.in !== 'header');
  const body = dereferenced(requestBody?.content['application/json'].schema) as Partial<InputSchema> | undefined;
  const entries = [
    ...named.map(({ name, schema, description }): [string, Schema] => [name, { ...schema, description }]),
    ...Object.entries(body?.properties ?? {}),
  ].filter(([name]) => !omitted.includes(name));
  const required = named.filter((parameter) => parameter.required).map(({ name }) => name);
  const properties = forAgents(Object.fromEntries(entries));
  return {
    title,
    description: description.trim(),
    inputSchema: {
      type: 'object',
      properties,
      required: [...required, ...(body?.required ?? [])],
      additionalProperties: false,
    },
  };
}

/** Leaves out specification extensions, and the patterns of text, which are long. The service checks both. */
const forAgents = (properties: InputSchema['properties']): InputSchema['properties'] =>
  JSON.parse(
    JSON.stringify(properties, (key, value) =>
      key.startsWith('x-') || (key === 'pattern' && String(value).includes('\\p{')) ? undefined : value,
    ),
  );

const { ShipmentStatus, ExceptionCode, ExceptionSeverity, ExceptionStep } = document.components.schemas;

type Meanings = Record<string, string | undefined>;

/** What the values of enumerations mean. Responses may have values that the contract does not have yet. */
export const meanings: Record<'ShipmentStatus' | 'ExceptionCode' | 'ExceptionSeverity' | 'ExceptionStep', Meanings> = {
  ShipmentStatus: ShipmentStatus['x-enumDescriptions'],
  ExceptionCode: ExceptionCode['x-enumDescriptions'],
  ExceptionSeverity: ExceptionSeverity['x-enumDescriptions'],
  ExceptionStep: ExceptionStep['x-enumDescriptions'],
};
