import { dereferenced } from '@waybill/contract/dereferenced';
import { withKnownValues } from '@waybill/contract/known-values';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { defaultBaseUrl } from '@waybill/contract/operations';

/** The parts of the bundled contract that the pages use, with every reference resolved. */
export interface Operation {
  operationId: string;
  method: string;
  /** The template, such as `/shipments/{shipment_id}`. */
  path: string;
  summary: string;
  description: string;
  deprecated?: boolean;
  tag: string;
  scope: string | undefined;
  acceptsTokens: boolean;
  parameters: Parameter[];
  /** Media type → content. */
  body: Record<string, Content>;
  /** Status → response. */
  responses: Record<string, Response>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required?: boolean;
  deprecated?: boolean;
  schema: Schema;
  /** Only required parameters have one. */
  example?: string | number;
}

export interface Response {
  description: string;
  content?: Record<string, Content>;
  headers?: Record<string, { description: string; example?: unknown }>;
}

export interface Content {
  schema?: Schema;
  /** Name → example. */
  examples?: Record<string, { value: unknown }>;
  /** The example of a text. */
  example?: string;
}

export interface Schema {
  type?: string | string[];
  description?: string;
  deprecated?: boolean;
  format?: string;
  const?: unknown;
  enum?: string[];
  default?: unknown;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  'x-required-in'?: Record<string, string[]>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  'x-enumDescriptions'?: Record<string, string>;
}

type Node = Record<string, unknown>;

/** Text about the whole API, in Markdown. */
export const introduction: string = document.info.description;

/** A part of the introduction, by its heading. */
export function conventionOf(heading: string): string {
  const text = introduction.split(/\n\n(?=\*\*)/).find((part) => part.startsWith(`**${heading}.** `));
  if (!text) throw new Error(`The introduction of the contract has no part ${heading}.`);
  return text.slice(text.indexOf(' ') + 1);
}

/** The version of the contract. */
export const version: string = document.info.version;

/** Where `start` runs the service. The pages show the URL from which they are served instead. */
export const defaultOrigin: string = new URL(defaultBaseUrl).origin;

/** The path of the major version. */
export const basePath: string = new URL(defaultBaseUrl).pathname;

/** Tag → description, in the contract's order. */
export const tags: { name: string; description: string }[] = document.tags;

/** All operations, in the contract's order. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, source]): Operation => {
    const node = withKnownValues(dereferenced(source)) as Omit<Operation, 'method' | 'path'> & {
      tags: string[];
      security: { apiKey?: string[]; accessToken?: string[] }[];
      requestBody?: { content: Operation['body'] };
    };
    return {
      ...node,
      parameters: node.parameters ?? [],
      method: method.toUpperCase(),
      path,
      tag: node.tags[0] ?? '',
      scope: node.security[0]?.apiKey?.[0],
      acceptsTokens: node.security.some(({ accessToken }) => accessToken),
      body: node.requestBody?.content ?? {},
    };
  }),
);

/** @throws when the contract has no such operation */
export function operationOf(id: string): Operation {
  const operation = operations.find(({ operationId }) => operationId === id);
  if (!operation) throw new Error(`The contract has no operation ${id}.`);
  return operation;
}

/** Response header lines with the example values of the contract. */
export function headerLines(...names: string[]): string {
  const { headers } = document.components as { headers: Record<string, { example: unknown }> };
  return names.map((name) => `${name}: ${headers[name]?.example}`).join('\n');
}

/** The value at a path of the document, such as `components.schemas.PositionsRequest.properties.positions.maxItems`. */
export function valueAt(path: string): string {
  const value = path.split('.').reduce((node: unknown, key) => (node as Node | undefined)?.[key], document);
  if (value === undefined) throw new Error(`The contract has nothing at ${path}.`);
  return Array.isArray(value) ? value.map((each) => `\`${each}\``).join(', ') : String(value);
}

const examples: Record<string, { value: unknown }> = document.components.examples;

/** An example of a problem, preferably the one named like its code. */
export function exampleOf(code: string): unknown {
  return examples[code]?.value ?? Object.values(examples).find(({ value }) => codeOf(value) === code)?.value;
}

/** The codes of a response's problems. */
export function problemCodes({ content = {} }: Response): string[] {
  const all = Object.values(content).flatMap(({ examples = {} }) => Object.values(examples));
  return [...new Set(all.flatMap(({ value }) => codeOf(value) ?? []))];
}

const codeOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'code' in value ? String(value.code) : undefined;

/** Value → description, of an enumeration that describes each of its values. */
export const descriptionsOf = (schema: string): Record<string, string> =>
  (document.components.schemas as Record<string, Schema>)[schema]?.['x-enumDescriptions'] ?? {};
