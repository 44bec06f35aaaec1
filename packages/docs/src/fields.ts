import type { Schema } from './contract.ts';
import { deprecatedMark, details, line } from './markdown.ts';

/**
 * A Markdown list of a schema's fields with their types, limits and descriptions. Those of its objects are shown when they
 * are opened.
 * @param anchor of the list
 */
export const fieldList = (schema: Schema, anchor: string, of: 'request' | 'response'): string =>
  fields(merged(schema), anchor, of, '');

/** The fields of all variants of a schema. A field that identifies the variant lists its values. */
function merged({ oneOf, ...schema }: Schema): Schema {
  if (!oneOf) return schema;
  const names = new Set(oneOf.flatMap(({ properties = {} }) => Object.keys(properties)));
  return {
    ...schema,
    type: 'object',
    required: [...names].filter((name) => oneOf.every(({ required }) => required?.includes(name))),
    properties: Object.fromEntries([...names].map((name) => [name, mergedField(oneOf, name)])),
  };
}

function mergedField(variants: Schema[], name: string): Schema {
  const fields = variants.flatMap(({ properties }) => properties?.[name] ?? []);
  const [first = {}, ...others] = [...new Set(fields)];
  if (others.length === 0) return first;
  if (first.const === undefined) {
    return merged({ oneOf: [first, ...others], description: 'The type determines the field.' });
  }
  const meanings = variants.map(({ description = '', properties }) => [properties?.[name]?.const, description]);
  const { description = '' } = first;
  return { type: 'string', description, 'x-enumDescriptions': Object.fromEntries(meanings) };
}

/** @param prefix the path of the object, such as `origin.` or `data[].` */
function fields(
  { properties = {}, required = [], 'x-required-in': requiredIn = {} }: Schema,
  anchor: string,
  of: 'request' | 'response',
  prefix: string,
): string {
  return Object.entries(properties)
    .map(([name, property]) => {
      const path = prefix + name;
      const description = property.description ?? withoutNull(property).description ?? '';
      const isRequired = required.includes(name);
      const countries = requiredIn[name];
      const presence = of === 'request' ? (isRequired ? 'required' : '') : isRequired ? '' : 'optional';
      const entry = [
        item({ name: path, anchor, schema: property, presence, description }),
        ...(countries
          ? [nested(`Required in ${countries.length} countries`, `Required in ${countries.join(', ')}.`)]
          : []),
      ].join('\n');
      const inner = merged(withoutNull(property));
      const children = inner.items
        ? fields(merged(inner.items), anchor, of, `${path}[].`)
        : fields(inner, anchor, of, `${path}.`);
      return children === '' ? entry : `${entry}\n${nested(`Fields of <code>${path}</code>`, children)}`;
    })
    .join('\n');
}

/** What belongs to an entry of a list. */
const nested = (summary: string, text: string): string => details(summary, text).replaceAll(/^(?=.)/gm, '  ');

interface Item {
  name: string;
  anchor: string;
  schema: Schema;
  /** Empty for the usual case: optional in a request, always present in a response. */
  presence: string;
  description: string;
}

/** One entry, to which `#anchor-name` links. */
export function item({ name, anchor, schema, presence, description }: Item): string {
  const id = `${anchor}-${name.replaceAll(/[^\w-]+/g, '-')}`.toLowerCase();
  const facts = [
    typeOf(schema),
    ...deprecatedMark(schema),
    ...(presence ? [`**${presence}**`] : []),
    ...limits(schema),
  ].join(' · ');
  const values = Object.entries(schema['x-enumDescriptions'] ?? {}).map(
    ([value, meaning]) => `  - \`${value}\`: ${line(meaning)}`,
  );
  const anchored = `<span id="${id}" class="field">[\`${name}\`](#${id})</span>`;
  return [`- ${anchored} ${facts}`, '', `  ${line(description)}`, '', ...values, ''].join('\n');
}

/** The schema of the value, if there is one. */
const withoutNull = (schema: Schema): Schema =>
  schema.anyOf?.find(({ type, properties }) => type !== 'null' && properties) ?? schema;

function typeOf(schema: Schema): string {
  const parts = schema.anyOf ?? [schema];
  const names = parts.flatMap(({ type = 'any', items }) =>
    [type].flat().map((name) => (name === 'array' && items ? `array of ${typeOf(items)}s` : name)),
  );
  return [...new Set(names)].join(' or ');
}

function limits(schema: Schema): string[] {
  const { enum: values, 'x-enumDescriptions': described } = schema.items ?? schema;
  const { format, minLength = 0, maxLength, minimum, maximum, maxItems, default: byDefault } = schema;
  const isPlain = format === undefined || format.startsWith('int');
  return [
    ...(schema.const === undefined ? [] : [`always \`${schema.const}\``]),
    ...(isPlain ? [] : [format]),
    ...(values && !described ? [[...new Set(values.map((value) => `\`${value}\``))].join(', ')] : []),
    ...(maxLength && isPlain && !values
      ? [minLength > 1 ? `${minLength} to ${maxLength} characters` : `at most ${maxLength} characters`]
      : []),
    ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
    ...(maxItems ? [`at most ${maxItems}`] : []),
    ...(byDefault === undefined ? [] : [`default \`${byDefault}\``]),
  ];
}
