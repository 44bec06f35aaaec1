/** Examples of errors match the error catalogue. The schema already refuses unknown codes. */
export function problemExamples() {
  const examples = new Map();
  let table = {};
  let status;
  return {
    Schema(schema) {
      table = schema['x-problems'] ?? table;
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
        for (const { status, value, location } of examples.values()) {
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
