const problemJson = 'application/problem+json';

/** Every error response is a problem. */
export function errorResponses() {
  const seen = new Set();
  return {
    Responses: {
      Response(response, { key, location, report }) {
        if (/^[123]/.test(key) || seen.has(response)) return;
        seen.add(response);
        const { content = {} } = response;
        const problem = /\/Problem(\.yaml)?$/.test(content[problemJson]?.schema?.$ref);
        if (problem && Object.keys(content).length === 1) return;
        report({ message: `Use ${problemJson} with the schema Problem as the only content.`, location });
      },
    },
  };
}

/** Every entry of the error catalogue is complete. */
export function problemTable() {
  return {
    Schema(schema, { location, report }) {
      for (const [code, entry] of Object.entries(schema['x-problems'] ?? {})) {
        if (/^[45]\d\d$/.test(entry?.status) && entry.title && entry.description) continue;
        const message = `Set \`status\` (4xx or 5xx), \`title\` and \`description\` of ${code}.`;
        report({ message, location: location.child(['x-problems', code]) });
      }
    },
  };
}

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
          const expected = { type: `/docs/errors/${value.code}`, title: entry.title, status: entry.status };
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
