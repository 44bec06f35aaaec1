const recording = 'recordTrackingEvent';

/** The lifecycle holds together: the server's guard, the docs and the tests are made from it. */
export function lifecycle() {
  const operations = new Set();
  let machine;
  let events;

  return {
    Operation({ operationId }) {
      operations.add(operationId);
    },
    Schema(schema, { location }) {
      if (schema['x-transitions']) machine = { schema, location: location.child('x-transitions') };
      if (/\/EventStatus(\.yaml)?$/.test(location.absolutePointer)) events = { schema, location };
    },
    Root: {
      leave(_, { report }) {
        if (!machine) return;
        const { enum: statuses, 'x-transitions': steps } = machine.schema;
        const { location } = machine;

        for (const [index, { from, to, operation, description }] of steps.entries()) {
          const known = statuses.includes(to) && (from === null || statuses.includes(from));
          if (known && operations.has(operation) && description) continue;
          const message =
            'Name two statuses of `enum` (or null to begin with), an operation of the contract and a description.';
          report({ message, location: location.child(index) });
        }
        if (steps.filter(({ from }) => from === null).length !== 1) {
          report({ message: 'Let exactly one step begin with `from: null`.', location });
        }
        const reached = new Set([null]);
        for (const status of reached) for (const { from, to } of steps) if (from === status) reached.add(to);
        for (const status of statuses.filter((status) => !reached.has(status))) {
          report({ message: `No steps lead to ${status}. Add one, or take the status out.`, location });
        }
        const recorded = new Set(steps.filter(({ operation }) => operation === recording).map(({ to }) => to));
        if (events && events.schema.enum?.join() !== [...recorded].join()) {
          const message = `List what ${recording} leads to, in the order of x-transitions: ${[...recorded].join(', ')}.`;
          report({ message, location: events.location.child('enum') });
        }
      },
    },
  };
}
