import { valuesOf } from './tables.js';

const isDate = (text) => new Date(text).toJSON()?.slice(0, 10) === text;

/** Clients have at least this long from the announcement to the sunset (decision 0040). */
const aYearAfter = (date) => `${Number(date.slice(0, 4)) + 1}${date.slice(4)}`;

/**
 * A deprecated part says since when, until when and what to use instead. The dates exist and leave clients time. Only values that
 * exist can be deprecated.
 */
export function deprecations() {
  return {
    any(node, { location, report }) {
      if (Boolean(Object(node).deprecated) === Boolean(Object(node)['x-deprecation'])) return;
      report({ message: 'Set `deprecated` and `x-deprecation` together.', location });
    },
    Deprecation({ since, sunset }, { location, report }) {
      if (isDate(since) && isDate(sunset) && sunset >= aYearAfter(since)) return;
      report({ message: 'Use dates such as 2027-01-31, with `sunset` at least a year after `since`.', location });
    },
    Schema(schema, { location, report }) {
      const unknown = Object.keys(schema['x-enumDeprecations'] ?? {}).filter(
        (value) => !valuesOf(schema)?.includes(value),
      );
      if (unknown.length > 0) report({ message: `The enumeration does not have ${unknown.join(', ')}.`, location });
    },
  };
}

const textOf = ({ since, sunset, instead }) => `Deprecated since ${since}, works until ${sunset}. ${instead}`;

/** Adds to the description of each deprecated part what clients must know: generators and the docs show it. */
export function describedDeprecations() {
  const seen = new Set();
  const describe = (node) => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    for (const child of Object.values(node)) describe(child);
    const { 'x-deprecation': deprecation, 'x-enumDeprecations': ofValues = {} } = node;
    const texts = Object.entries(ofValues).map(([value, each]) => `\`${value}\`: ${textOf(each)}`);
    if (deprecation) texts.unshift(textOf(deprecation));
    if (texts.length > 0) node.description = [node.description?.trim(), ...texts].join('\n\n');
  };
  return { Root: { leave: describe } };
}
