import document from '@waybill/contract/openapi.json' with { type: 'json' };
import type { Operation } from '../contract.ts';
import { plannedTime } from '../tomorrow.ts';

export const keyVariable = 'WAYBILL_API_KEY';
export const urlVariable = 'WAYBILL_URL';

/** Sets the variable from which every sample reads the URL of the service. In a browser it has the URL that serves the page. */
export const setUrl: string = `export ${urlVariable}=https://api.example.com/v1`;

/** The file that samples send, or write. */
export const image = { type: 'image/png', file: 'signature.png' };

export const isStream = ({ responses }: Operation): boolean =>
  responses['200']?.content?.['text/event-stream'] !== undefined;
export const sendsFile = ({ method }: Operation): boolean => method === 'PUT';
export const returnsFile = ({ path }: Operation): boolean => path.startsWith('/files');
export const returnsNothing = ({ responses }: Operation): boolean => responses['204'] !== undefined;

/** The query parameters that samples show. They work for everybody; a cursor or a reference would not. */
const shownQuery = Object.entries({ status: ['in_transit'], limit: 25 });

export const queryOf = ({ parameters }: Operation): [name: string, value: string[] | number][] =>
  shownQuery.filter(([shown]) => parameters.some(({ name, in: place }) => place === 'query' && name === shown));

/** The parameters of the path, in order. */
export const pathOf = ({ parameters }: Operation): [name: string, value: string][] =>
  parameters.filter((parameter) => parameter.in === 'path').map(({ name, example }) => [name, String(example)]);

/** The example of a JSON body. */
export const bodyOf = ({ body }: Operation): object | undefined =>
  Object.values(body['application/json']?.examples ?? {})[0]?.value as object | undefined;

/** A part of a JSON body, for languages in which it has types. */
export type Part =
  | { kind: 'object'; type: string; members: [name: string, part: Part, isOptional: boolean][] }
  /** An object without fields of its own, or one with a null that must be sent. */
  | { kind: 'map'; schema: string | undefined; members: [name: string, part: Part, isOptional: boolean][] }
  | { kind: 'list'; items: Part[] }
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

/** The typed parts of the example of a JSON body. */
export function typedBody(operation: Operation): Part | undefined {
  const methods = (document.paths as unknown as Record<string, Record<string, Content>>)[operation.path];
  const schema = methods?.[operation.method.toLowerCase()]?.requestBody?.content['application/json']?.schema;
  return schema && partOf(schema, bodyOf(operation) ?? {}, '');
}
type Content = { requestBody?: { content: Record<string, { schema: Schema } | undefined> } };

function partOf(schema: Schema, value: unknown, name: string): Part {
  const type = schema.$ref?.split('/').at(-1);
  const { properties = {}, required = [], items = {}, ...resolved } = type ? (schemas[type] as Schema) : schema;
  if (Array.isArray(value)) return { kind: 'list', items: value.map((item) => partOf(items, item, '')) };
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]): [string, Part, boolean] => {
      return [key, partOf(properties[key] ?? {}, member, key), !required.includes(key)];
    });
    const hasType = type && schemas[type]?.properties && !Object.values(value).includes(null);
    return hasType ? { kind: 'object', type, members } : { kind: 'map', schema: type, members };
  }
  const time = plannedTime(name, value);
  if (time) return { kind: 'tomorrow', time };
  if (type && resolved.enum) return { kind: 'enum', type, value: String(value) };
  return { kind: 'plain', value: value as string | number | boolean | null, isInteger: resolved.type === 'integer' };
}

export const hasTomorrow = (part: Part | undefined): boolean => JSON.stringify(part)?.includes('"tomorrow"') ?? false;
