/**
 * Examples of errors match the error catalogue, and each code has one, unless no operation documents its status. The schema
 * already refuses unknown codes.
 */
export function problemExamples() {
  const examples = new Map();
  let table = {};
  let tableLocation;
  let status;
  return {
    Schema(schema, { location }) {
      if (!schema['x-problems']) return;
      table = schema['x-problems'];
      tableLocation = location.child('x-problems');
    },
    Responses: {
      Response: {
        enter(_, { key }) {
          status = String(key);
        },
        Example({ value }, { location }) {
          if (!/^[123]/.test(status))
            examples.set(`${status} ${location.absolutePointer}`, { status, value, location });
        },
      },
    },
    Root: {
      leave(_, { report }) {
        const all = [...examples.values()];
        const codes = new Set(all.map(({ value }) => value?.code));
        const statuses = new Set(all.map((example) => example.status));
        for (const [code, entry] of Object.entries(table)) {
          if (codes.has(code) || !statuses.has(String(entry.status))) continue;
          const message = `Add an example of ${code} to examples/problems.yaml, and use it in responses.yaml.`;
          report({ message, location: tableLocation.child(code) });
        }
        for (const { status, value, location } of all) {
          const entry = table[value?.code];
          if (!entry) continue;
          if (status !== String(entry.status)) {
            report({
              message: `${value.code} has the status ${entry.status}. Use another example for ${status}.`,
              location,
            });
          }
          const expected = {
            type: `tag:waybill-freight.github.io,2026:${value.code}`,
            title: entry.title,
            status: entry.status,
          };
          const known = [
            ...Object.keys(expected),
            'detail',
            'instance',
            'code',
            'request_id',
            ...(entry.members ?? []),
          ];
          if (Object.keys(value).sort().join() !== known.sort().join()) {
            report({ message: `Give the example exactly the members ${known.join(', ')}.`, location });
          }
          for (const [field, text] of Object.entries(expected)) {
            if (value[field] === text) continue;
            const message = `Set \`${field}: ${text}\`, as in x-problems for ${value.code}.`;
            report({ message, location: location.child(['value', field]) });
          }
        }
      },
    },
  };
}
