const text = { type: 'string' };
const texts = { type: 'array', items: text };

const withProperties = (type, properties) => ({ ...type, properties: { ...type.properties, ...properties } });
const deprecation = { 'x-deprecation': 'Deprecation' };

/** The specification extensions. Redocly's rule `struct` checks their form. */
export const extensionTypes = ({ Header, Operation, Parameter, Schema, ...types }) => ({
  ...types,
  Header: withProperties(Header, deprecation),
  Operation: withProperties(Operation, deprecation),
  Parameter: withProperties(Parameter, deprecation),
  Schema: withProperties(Schema, {
    ...deprecation,
    'x-enumDeprecations': 'DeprecationTable',
    'x-time': 'TimeRules',
    'x-required-in': 'RequiredIn',
    'x-extensible-enum': texts,
    'x-lifecycle': 'Lifecycle',
    'x-changes': 'ChangeTable',
    'x-problems': 'ProblemTable',
    'x-exceptions': 'ExceptionTable',
  }),
  Deprecation: {
    properties: { since: text, sunset: text, instead: text },
    required: ['since', 'sunset', 'instead'],
  },
  DeprecationTable: { properties: {}, additionalProperties: 'Deprecation' },
  TimeRules: {
    properties: { after: text, not_before: text, max_ahead: text, max_ahead_of_item: text },
  },
  RequiredIn: { properties: { state: texts, zip: texts } },
  Lifecycle: { properties: {}, additionalProperties: 'LifecycleRow' },
  LifecycleRow: {
    properties: {
      rank: { type: 'integer' },
      from: texts,
      operations: texts,
      description: text,
      positions: { enum: ['move', 'keep'] },
      resolves: texts,
    },
    required: ['rank', 'operations', 'description'],
  },
  ChangeTable: { properties: {}, items: 'ChangeRow' },
  ChangeRow: {
    properties: { until: text, description: text, fields: texts },
    required: ['until', 'description', 'fields'],
  },
  ProblemTable: { properties: {}, additionalProperties: 'ProblemKind' },
  ProblemKind: {
    properties: {
      status: { type: 'integer' },
      title: text,
      description: text,
      members: texts,
    },
    required: ['status', 'title', 'description'],
  },
  ExceptionTable: { properties: {}, additionalProperties: 'ExceptionKind' },
  ExceptionKind: {
    properties: { severity: text, responsible: text, next: texts, statuses: texts },
    required: ['severity', 'responsible', 'next', 'statuses'],
  },
});
