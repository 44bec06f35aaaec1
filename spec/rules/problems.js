const problemJson = 'application/problem+json';

/** Every error has one shape. */
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
        report({ message: `Answer ${problemJson} with the schema Problem, and nothing else.`, location });
      },
    },
  };
}

/** A row of the error catalogue says all that the server and the docs need. */
export function problemTable() {
  return {
    Schema(schema, { location, report }) {
      for (const [code, row] of Object.entries(schema['x-problems'] ?? {})) {
        if (/^[45]\d\d$/.test(row?.status) && row.title && row.description) continue;
        const message = `Give ${code} a \`status\` of 4xx or 5xx, a \`title\` and a \`description\`.`;
        report({ message, location: location.child(['x-problems', code]) });
      }
    },
  };
}

/** Examples of errors say what the error catalogue says. A code that it lacks breaks the schema already. */
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
          const row = table[value?.code];
          if (!row) continue;
          if (status !== String(row.status)) {
            report({ message: `${value.code} is a ${row.status}. Take another example for ${status}.`, location });
          }
          const expected = { type: `/docs/errors/${value.code}`, title: row.title, status: row.status };
          for (const [field, text] of Object.entries(expected)) {
            if (value[field] === text) continue;
            const message = `Write \`${field}: ${text}\`, as x-problems says for ${value.code}.`;
            report({ message, location: location.child(['value', field]) });
          }
        }
      },
    },
  };
}
