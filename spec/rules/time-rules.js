import { follow } from './follow.js';

const durations = ['max_ahead', 'max_ahead_of_item', 'max_before_previous'];
const duration = /^PT(?=\d)(\d+H)?(\d+M)?(\d+S)?$/;

/**
 * `x-time` of a property or of a query parameter: `after` and `not_before` name a field beside it, the others are durations.
 */
export function timeRules() {
  const placed = new Set();

  const check = ({ report }, schema, location, siblings) => {
    placed.add(schema);
    for (const [rule, value] of Object.entries(schema?.['x-time'] ?? {})) {
      const at = location.child(['x-time', rule]);
      if (['after', 'not_before'].includes(rule)) {
        if (siblings.includes(value)) continue;
        report({ message: `Use one of the fields beside it: ${siblings.join(', ')}.`, location: at });
      } else if (!durations.includes(rule)) {
        const message = `Use \`after\`, \`not_before\` or one of ${durations.join(', ')}.`;
        report({ message, location: at });
      } else if (!duration.test(value)) {
        report({ message: 'Use an ISO 8601 duration in hours, minutes and seconds, such as PT5M.', location: at });
      }
    }
  };

  return {
    Schema(schema, ctx) {
      for (const [name, property] of Object.entries(schema.properties ?? {})) {
        check(ctx, property, ctx.location.child(['properties', name]), Object.keys(schema.properties));
      }
      if (!schema['x-time'] || placed.has(schema)) return;
      const message = 'Move `x-time` to a property or a query parameter: it is enforced only there.';
      ctx.report({ message, location: ctx.location.child('x-time') });
    },
    Operation({ parameters = [] }, ctx) {
      const query = parameters
        .map((parameter, index) => follow(ctx, parameter, ctx.location.child(['parameters', index])))
        .filter(({ node }) => node?.in === 'query');
      const names = query.map(({ node }) => node.name);
      for (const { node, location } of query) check(ctx, node.schema, location.child('schema'), names);
    },
  };
}
