import document from '@waybill/contract/openapi.json' with { type: 'json' };
import type { Operation, Parameter } from '../contract.ts';
import { plannedTime } from '../tomorrow.ts';

export const keyVariable = 'WAYBILL_API_KEY';
export const urlVariable = 'WAYBILL_URL';

/** Sets the variable from which every sample reads the URL of the service. In a browser it has the URL that serves the page. */
export const setUrl: string = `export ${urlVariable}=https://api.example.com/v1`;

/** The file that samples send, or write. */
export const image = { type: 'image/png', file: 'signature.png' };

export type Member = [name: string, part: Part, isOptional: boolean];

/** A part of a request, for languages in which it has types. */
export type Part =
  | { kind: 'object'; type: string; members: Member[] }
  /** An object without fields of its own, or one with a null that must be sent. */
  | { kind: 'map'; schema: string | undefined; members: Member[] }
  | { kind: 'list'; items: Part[]; isNullable: boolean }
  | { kind: 'enum'; type: string; value: string }
  /** A time of the next day, because a reader who sends the sample later would plan for the past. */
  | { kind: 'tomorrow'; time: string }
  | { kind: 'plain'; value: string | number | boolean | null; isInteger: boolean };

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}
const schemas = document.components.schemas as unknown as Record<string, Schema>;

/** What a sample sends, and what it does with the response. */
export interface Request {
  operationId: string;
  path: [name: string, value: string][];
  /** Whether the operation has query parameters, also if the sample shows none. */
  takesQuery: boolean;
  query: [name: string, value: string[] | number, part: Part][];
  /** The example of a JSON body. */
  example: object | undefined;
  /** Its typed parts. */
  body: Part | undefined;
  /** Whether the body has a time of the next day. */
  plansTomorrow: boolean;
  sendsFile: boolean;
  result: 'events' | 'file' | 'nothing' | 'value';
}

/** The query parameters that samples show. They work for everybody; a cursor or a reference would not. */
const shownQuery = Object.entries({ status: ['in_transit'], limit: 25 });

/** The request of an operation, with the examples of the contract. */
export function requestOf({ operationId, method, path, parameters, body, responses }: Operation): Request {
  const { requestBody } = (paths[path]?.[method.toLowerCase()] ?? {}) as Written;
  const schema = requestBody?.content['application/json']?.schema;
  const example = Object.values(body['application/json']?.examples ?? {})[0]?.value as object | undefined;
  const typed = schema && partOf(schema, example ?? {}, '');
  const of = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place);
  const isEvents = responses['200']?.content?.['text/event-stream'] !== undefined;
  const hasResult = responses['204'] === undefined;
  return {
    operationId,
    path: of('path').map(({ name, example: value }) => [name, String(value)]),
    takesQuery: of('query').length > 0,
    query: shownQuery
      .filter(([shown]) => of('query').some(({ name }) => name === shown))
      .map(([name, value]) => [name, value, partOf(parameterSchemas[name] ?? {}, value, name)]),
    example,
    body: typed,
    plansTomorrow: JSON.stringify(typed)?.includes('"tomorrow"') ?? false,
    sendsFile: method === 'PUT',
    result: isEvents ? 'events' : path.startsWith('/files') ? 'file' : hasResult ? 'value' : 'nothing',
  };
}

/** The contract as it is written: with references, which are the names of types. */
type Written = { requestBody?: { content: Record<string, { schema: Schema } | undefined> } };
const paths = document.paths as unknown as Record<string, Record<string, Written>>;
const parameterSchemas: Record<string, Schema> = Object.fromEntries(
  Object.values(document.components.parameters).map(({ name, schema }) => [name, schema as Schema]),
);

function partOf(schema: Schema, value: unknown, name: string): Part {
  const type = schema.$ref?.split('/').at(-1);
  const { properties = {}, required = [], items = {}, ...resolved } = type ? (schemas[type] as Schema) : schema;
  if (Array.isArray(value))
    return {
      kind: 'list',
      items: value.map((item) => partOf(items, item, '')),
      isNullable: Array.isArray(resolved.type),
    };
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]): Member => {
      return [key, partOf(properties[key] ?? {}, member, key), !required.includes(key)];
    });
    const hasFields = type !== undefined && schemas[type]?.properties !== undefined;
    return hasFields && !Object.values(value).includes(null)
      ? { kind: 'object', type, members }
      : { kind: 'map', schema: type, members };
  }
  const time = plannedTime(name, value);
  if (time) return { kind: 'tomorrow', time };
  if (type && resolved.enum) return { kind: 'enum', type, value: String(value) };
  return { kind: 'plain', value: value as string | number | boolean | null, isInteger: resolved.type === 'integer' };
}
