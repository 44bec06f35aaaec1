import { type Document, nameIn, type OperationRow, operationsOf, resolve, type Schema } from './document.ts';

/**
 * The document from which openapi-typescript makes the types. Requests are closed and accept dates; responses are open to
 * values that are not known yet. Descriptions have the limits, because they are all that an editor shows. Without what only
 * the service reads, and without errors: the client throws them.
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
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        operationId,
        parameters: parameters.map(({ description, schema, ...parameter }) => ({
          ...parameter,
          description: textOf({ description }, schema),
          schema: listOf(schema) ?? prepared(schemas, schema, true),
        })),
        ...(!isEmpty && { requestBody: { ...requestBody, required: true } }),
        responses: Object.fromEntries(
          Object.entries(responses).flatMap(([status, { description, content }]) =>
            /^[23]/.test(status) ? [[status, { description, ...(content && { content }) }]] : [],
          ),
        ),
      },
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
  const variants = Event.oneOf ?? [];
  const data = variants.flatMap((variant) => resolve(schemas, variant).properties?.data ?? []);
  const removed = new Set([...variants, ...data].map(({ $ref = '' }) => nameIn($ref)));
  const others = Object.entries(schemas).filter(([name]) => !removed.has(name));
  const [first = {}] = variants.map((variant) => resolve(schemas, variant));
  const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
  const properties = { ...first.properties, type: ref('EventType'), data: ref('EventData') };
  return {
    ...Object.fromEntries(others),
    EventData: {
      ...{
        type: 'object',
        description: 'The resource after the change. The type determines which property is present.',
      },
      properties: Object.assign({}, ...data.map((schema) => resolve(schemas, schema).properties)),
    },
    Event: { ...first, description: Event.description ?? '', properties },
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
function prepared(schemas: Record<string, Schema>, schema: Schema, isRequest: boolean): Schema {
  const target = resolve(schemas, schema);
  const { format, properties, items, anyOf, additionalProperties, ...rest } = schema;
  const inner = (part: Schema) => prepared(schemas, part, isRequest);
  const type = format === 'binary' ? 'Blob' : format === 'date-time' && isRequest && 'string | Date';
  return {
    ...rest,
    ...(type && { 'x-type': type }),
    ...(properties && { properties: mapValues(properties, inner) }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? inner(additionalProperties) : additionalProperties,
    }),
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

const mapValues = <From, To>(values: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
