import { follow } from './follow.js';

const recording = 'recordTrackingEvent';

/** The JSON pointers of the fields of an object: of a listed one itself, of another one those of its fields. */
const fieldsOf = (ctx, { node, location }, listed) =>
  Object.entries(node.properties ?? {}).flatMap(([name, value]) => {
    const inner = follow(ctx, value, location).node.properties;
    if (listed.includes(`/${name}`) || !inner) return [`/${name}`];
    return Object.keys(inner).map((field) => `/${name}/${field}`);
  });

/** The lifecycle is consistent. The server, the docs and the tests use it. */
export function lifecycle() {
  const operations = new Set();
  let machine;
  let recorded;
  let changes;
  let changed;

  return {
    Operation({ operationId }) {
      operations.add(operationId);
    },
    Schema(schema, ctx) {
      const { location } = ctx;
      if (schema['x-changes']) changes = { rows: schema['x-changes'], location: location.child('x-changes') };
      if (location.pointer.endsWith('/ShipmentChanges')) changed = { node: schema, location };
      if (schema['x-transitions']) machine = { schema, location: location.child('x-transitions') };
      if (location.pointer.endsWith('/EventStatus'))
        recorded = { values: schema.enum, location: location.child('enum') };
    },
    Root: {
      leave(_, ctx) {
        const { report } = ctx;
        if (!machine) return;
        const { enum: statuses, 'x-transitions': transitions } = machine.schema;
        const { location } = machine;

        for (const [index, { from, to, operation, positions }] of transitions.entries()) {
          const row = location.child(index);
          if (!statuses.includes(to) || !(from === null || statuses.includes(from)) || !operations.has(operation)) {
            const message =
              'Set `from` (null for the first) and `to` to values of `enum`, and `operation` to an operation.';
            report({ message, location: row });
          }
          if (transitions.some((other) => other.to === to && other.positions !== positions)) {
            report({ message: `Set the same \`positions\` in all transitions to ${to}.`, location: row });
          }
        }
        if (transitions.filter(({ from }) => from === null).length !== 1) {
          report({ message: 'Use `from: null` in exactly one transition.', location });
        }
        for (const [index, { until }] of (changes?.rows ?? []).entries()) {
          if (statuses.includes(until)) continue;
          report({ message: 'Set `until` to a value of `enum`.', location: changes.location.child(index) });
        }
        const listed = (changes?.rows ?? []).flatMap(({ fields }) => fields);
        const fields = changed ? fieldsOf(ctx, changed, listed) : [];
        if ([...listed].sort().join() !== [...fields].sort().join()) {
          const message = `List each field of ShipmentChanges once: ${fields.join(', ')}.`;
          report({ message, location: changes?.location ?? location });
        }
        const reached = new Set([null]);
        for (const status of reached) for (const { from, to } of transitions) if (from === status) reached.add(to);
        for (const status of statuses.filter((status) => !reached.has(status))) {
          report({ message: `No transition leads to ${status}. Add one, or remove the status.`, location });
        }
        const expected = new Set(transitions.flatMap(({ operation, to }) => (operation === recording ? to : [])));
        if (recorded && [...expected].join() !== recorded.values.join()) {
          const message = `Set the statuses that ${recording} leads to: ${[...expected].join(', ')}.`;
          report({ message, location: recorded.location });
        }
      },
    },
  };
}
