/** The lifecycle is consistent. The server, the docs and the tests use it. */
export function lifecycle() {
  const operations = new Set();
  let machine;

  return {
    Operation({ operationId }) {
      operations.add(operationId);
    },
    Schema(schema, { location }) {
      if (schema['x-transitions']) machine = { schema, location: location.child('x-transitions') };
    },
    Root: {
      leave(_, { report }) {
        if (!machine) return;
        const { enum: statuses, 'x-transitions': transitions } = machine.schema;
        const { location } = machine;

        for (const [index, { from, to, operation, description }] of transitions.entries()) {
          const known = statuses.includes(to) && (from === null || statuses.includes(from));
          if (known && operations.has(operation) && description) continue;
          const message =
            'Set `from` (null for the first) and `to` to values of `enum`, and set `operation` and `description`.';
          report({ message, location: location.child(index) });
        }
        if (transitions.filter(({ from }) => from === null).length !== 1) {
          report({ message: 'Use `from: null` in exactly one transition.', location });
        }
        const reached = new Set([null]);
        for (const status of reached) for (const { from, to } of transitions) if (from === status) reached.add(to);
        for (const status of statuses.filter((status) => !reached.has(status))) {
          report({ message: `No transition leads to ${status}. Add one, or remove the status.`, location });
        }
      },
    },
  };
}
