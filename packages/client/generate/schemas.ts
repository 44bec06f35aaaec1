import { bodyOf, type Document, nameIn, operationsOf, parametersIn, type Schema } from './document.ts';

/** Requests are closed and accept dates; responses are open to values that are not known yet. */
export type Direction = 'request' | 'response';

const literals = (values: string[]): string => values.map((value) => `'${value}'`).join(' | ');
const isObject = (schema: Schema): boolean => schema.properties !== undefined;

/** The TypeScript type of a schema. */
export function typeOf(document: Document, schema: Schema, direction: Direction): string {
  const { $ref, anyOf, type, format, items, additionalProperties } = schema;
  if ($ref !== undefined) {
    const target = document.components.schemas[nameIn($ref)];
    if (direction === 'request' && target?.['x-open-enum']) return `Known${nameIn($ref)}`;
    if (direction === 'request' && target?.format === 'date-time') return typeOf(document, target, direction);
    return nameIn($ref);
  }
  if (anyOf) {
    const types = anyOf.map((option) => typeOf(document, option, direction)).flatMap((text) => text.split(' | '));
    return [...new Set(types)].join(' | ');
  }
  if (Array.isArray(type)) return type.map((one) => typeOf(document, { ...schema, type: one }, direction)).join(' | ');
  if (schema.const !== undefined) return `'${schema.const}'`;
  if (schema.enum)
    return literals(schema.enum) + (schema['x-open-enum'] && direction === 'response' ? ' | (string & {})' : '');
  if (type === 'array' && items) {
    const item = typeOf(document, items, direction);
    return item.includes(' ') ? `(${item})[]` : `${item}[]`;
  }
  if (typeof additionalProperties === 'object') {
    return `{ [name: string]: ${typeOf(document, additionalProperties, direction)} }`;
  }
  if (type === 'object' && additionalProperties === false) return '{ [name: string]: never }';
  if (type === 'string' && format === 'binary') return 'Blob';
  if (type === 'string' && format === 'date-time' && direction === 'request') return 'string | Date';
  if (type === 'integer') return 'number';
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type;
  throw new Error(`packages/client/generate/schemas.ts: no type for ${JSON.stringify(schema)}`);
}

/** A documentation comment, or nothing if there is no text. */
export function comment(text: string, indent = ''): string {
  const lines = text.trim().replaceAll('*/', '*∕').split('\n');
  if (lines.length === 1) return lines[0] === '' ? '' : `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Description, limits, default and example, of the schema itself or of the one that it refers to. */
export function textOf({ components }: Document, schema: Schema): string {
  const target = schema.$ref === undefined ? schema : (components.schemas[nameIn(schema.$ref)] ?? schema);
  const { description = '', minimum, maximum, maxLength, maxItems, default: value, examples = [], format } = target;
  const limits = [
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}.`,
    maxLength !== undefined && format === 'text' && `At most ${maxLength} characters.`,
    maxItems !== undefined && `At most ${maxItems} elements.`,
    value !== undefined && `Default: ${value}.`,
  ].filter(Boolean);
  const example = examples.length > 0 ? `\n@example ${JSON.stringify(examples[0])}` : '';
  return [schema.description ?? description.trim(), ...limits].join(' ').trim() + example;
}

/** The members of an interface. */
export function members(document: Document, schema: Schema, direction: Direction): string {
  const { properties = {}, required = [] } = schema;
  const lines = Object.entries(properties).map(([name, property]) => {
    const type = typeOf(document, property, direction);
    const isRequired = required.includes(name);
    const undefinable = !isRequired && direction === 'request' ? ' | undefined' : '';
    return `${comment(textOf(document, property), '  ')}  ${name}${isRequired ? '' : '?'}: ${type}${undefinable};\n`;
  });
  return `{\n${lines.join('')}}`;
}

/** The names of all schemas that are reached from these. */
function reached({ components }: Document, schemas: Schema[]): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as Schema;
    if (typeof $ref === 'string' && !names.has(nameIn($ref))) {
      names.add(nameIn($ref));
      visit(components.schemas[nameIn($ref)]);
    }
    for (const member of Object.values(value)) visit(member);
  };
  for (const schema of schemas) visit(schema);
  return names;
}

/** Each schema as a type with its name, a map of all of them, and the members of problems by code and of events by type. */
export function schemaTypes(document: Document): string {
  const { schemas } = document.components;
  const operations = operationsOf(document);
  const responses = operations.flatMap((operation) =>
    Object.values(operation.responses).flatMap(({ content = {} }) =>
      Object.values(content).map(({ schema }) => schema),
    ),
  );
  const requests = operations.flatMap((operation) => {
    const body = bodyOf(operation);
    const query = parametersIn(operation, 'query').map(({ schema }) => schema);
    return body === null || body === 'file' ? query : [...query, body];
  });
  const inResponses = reached(document, responses);
  const inRequests = reached(document, requests);
  const types = Object.entries(schemas).map(([name, schema]) => {
    const direction = inRequests.has(name) && !inResponses.has(name) ? 'request' : 'response';
    const text = comment(textOf(document, schema));
    if (isObject(schema)) return `${text}export interface ${name} ${members(document, schema, direction)}\n`;
    const type = typeOf(document, schema, direction);
    if (!schema['x-open-enum'] || !schema.enum) return `${text}export type ${name} = ${type};\n`;
    return `/** The values of \`${name}\` in this version of the contract. */
export type Known${name} = ${literals(schema.enum)};

${text}export type ${name} = Known${name} | (string & {});\n`;
  });
  const problems = Object.entries(schemas.ProblemCode?.['x-problems'] ?? {});
  const withMembers = problems.flatMap(([code, { members }]) => (members ? `  ${code}: ${literals(members)};\n` : []));
  const events = Object.entries(schemas.EventType?.['x-event-data'] ?? {});
  return `
${types.join('\n')}
/** Code → the names of the additional members that its problems always have. */
export interface ProblemMembers {
${withMembers.join('')}}

/** Event type → the property of \`data\` that its events always have. */
export interface EventMembers {
${events.map(([type, member]) => `  '${type}': '${member}';\n`).join('')}}

/** Every schema of the contract by its name. */
export interface Schemas {
${Object.keys(schemas)
  .map((name) => `  ${name}: ${name};\n`)
  .join('')}}
`;
}
