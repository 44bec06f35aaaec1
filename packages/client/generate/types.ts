import { type Document, nameIn, type OperationRow, operationsOf, resolve, type Schema } from './document.ts';

/**
 * The document from which openapi-typescript makes the types: all that the client changes in its copy of the contract. (No
 * maintained JavaScript tool applies an OpenAPI Overlay.) Requests are closed and accept dates; responses are open to values
 * that are not known yet. Descriptions have the limits, because they are all that an editor shows. Without what only the
 * service reads, and without errors: the client throws them.
 */
export function forTypes(document: Document): object {
  const schemas = withoutVariants(document.components.schemas);
  const described = Object.entries(schemas).flatMap(([name, schema]): [string, object][] => {
    // Only requests refer to a timestamp; responses describe each of theirs.
    const isRequest = schema.additionalProperties === false || schema.format === 'date-time';
    const { 'x-extensible-enum': values, description = '' } = schema;
    if (!values) return [[name, prepared(schemas, schema, isRequest)]];
    const known = `Known${name}`;
    const open = { type: 'string', 'x-type': `${known} | (string & {})`, description };
    if (schemas[known]) return [[name, open]]; // requests refer to it
    const text = `The values of \`${name}\` in this version of the contract.`;
    return [
      [known, { type: 'string', enum: values, description: text }],
      [name, open],
    ];
  });
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operationsOf(document)) {
    const { method, path, operationId, parameters, requestBody, body, responses } = operation;
    const isEmpty = body === null || (body !== 'file' && !body.properties);
    const successes = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = {
      operationId,
      parameters: parameters.map(({ description, schema, ...parameter }) => ({
        ...parameter,
        description: textOf({ description }, schema),
        schema: listOf(schema) ?? prepared(schemas, schema, true),
      })),
      requestBody: isEmpty ? undefined : { ...requestBody, required: true },
      responses: Object.fromEntries(
        successes.map(([status, { description, content }]) => [status, { description, content }]),
      ),
    };
    checkNames(operation);
  }
  const components = { ...document.components, schemas: Object.fromEntries(described) };
  return { ...document, paths, components, webhooks: {} };
}

/**
 * The variants of `Event` as one schema: responses may have types that are not known yet. `WaybillEvent` in src/events.ts
 * distinguishes the known ones.
 */
function withoutVariants({ Event = {}, ...schemas }: Record<string, Schema>): Record<string, Schema> {
  const variants = (Event.oneOf ?? []).map((variant) => resolve(schemas, variant));
  const data = variants.flatMap(({ properties }) => properties?.data ?? []);
  const removed = new Set([...(Event.oneOf ?? []), ...data].map(({ $ref }) => nameIn($ref)));
  const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
  const properties = { ...variants[0]?.properties, type: ref('EventType'), data: ref('EventData') };
  const description = 'The resource after the change. The type determines which property is present.';
  return {
    ...Object.fromEntries(Object.entries(schemas).filter(([name]) => !removed.has(name))),
    EventData: {
      description,
      properties: Object.assign({}, ...data.map((schema) => resolve(schemas, schema).properties)),
    },
    Event: { ...variants[0], description: Event.description ?? '', properties },
  };
}

/** The parameters of a method are one object. */
function checkNames({ operationId, parameters, body }: OperationRow): void {
  const fields = body && body !== 'file' ? Object.keys(body.properties ?? {}) : [];
  const taken = parameters.map(({ name }) => name).filter((name) => fields.includes(name));
  if (taken.length > 0) throw new Error(`${operationId} has a parameter and a field with the name ${taken.join()}`);
}

/** A parameter that takes several values of an enumeration: one value, or an array of them. Undefined for any other. */
function listOf({ items }: Schema): object | undefined {
  const name = nameIn(items?.$ref);
  return name === '' ? undefined : { type: 'string', 'x-type': `${name} | readonly ${name}[]` };
}

/** A schema as a part of a request or of a response. */
function prepared(schemas: Record<string, Schema>, schema: Schema, isRequest: boolean): object {
  const target = resolve(schemas, schema);
  const { format, properties, items, anyOf, additionalProperties: others, ...rest } = schema;
  const timestamp = [rest.type].flat().includes('null') ? 'string | Date | null' : 'string | Date';
  const inner = (part: Schema) => prepared(schemas, part, isRequest);
  const fields = Object.entries(properties ?? {}).map(([name, property]) => [name, inner(property)]);
  return {
    ...rest,
    'x-type': format === 'binary' ? 'Blob' : format === 'date-time' && isRequest ? timestamp : undefined,
    properties: properties && Object.fromEntries(fields),
    items: items && inner(items),
    anyOf: anyOf?.map(inner),
    additionalProperties: typeof others === 'object' ? inner(others) : others,
    description: textOf(schema, target),
    examples: target.examples?.slice(0, 1) ?? [],
  };
}

/** Description, limits and default. */
function textOf({ description }: Schema, target: Schema): string {
  const { minimum, maximum, maxLength, maxItems, default: value, pattern } = target;
  const limits = [
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}.`,
    maxLength !== undefined && pattern?.includes('\\p{') && `At most ${maxLength} characters.`,
    maxItems !== undefined && `At most ${maxItems} elements.`,
    value !== undefined && `Default: ${value}.`,
  ];
  return [(description ?? target.description ?? '').trim(), ...limits.filter(Boolean)].join(' ').trim();
}
