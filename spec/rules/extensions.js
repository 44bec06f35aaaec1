const text = { type: 'string' };

/** The specification extensions in schemas. Redocly's rule `struct` checks their form. */
export const extensionTypes = ({ Schema, ...types }) => ({
  ...types,
  Schema: {
    ...Schema,
    properties: {
      ...Schema.properties,
      'x-extensible-enum': { type: 'boolean' },
      'x-transitions': 'Transitions',
      'x-problems': 'ProblemTable',
    },
  },
  Transitions: { properties: {}, items: 'Transition' },
  Transition: {
    properties: { from: {}, to: text, operation: text, description: text, positions: { enum: ['move', 'keep'] } },
    required: ['from', 'to', 'operation', 'description'],
  },
  ProblemTable: { properties: {}, additionalProperties: 'ProblemKind' },
  ProblemKind: {
    properties: {
      status: { type: 'integer' },
      title: text,
      description: text,
      members: { type: 'array', items: text },
    },
    required: ['status', 'title', 'description'],
  },
});
