import { closedBodies, openResponses, requestTimestamps, textPattern } from './bodies.js';
import { deprecations, describedDeprecations } from './deprecations.js';
import { extensionTypes } from './extensions.js';
import { mergedReferences } from './merged-references.js';
import { changedFields, enumDescriptions } from './tables.js';

/** Waybill's rules that need code. `redocly.yaml` has those that Redocly's own assertions can express. */
const rules = {
  'changed-fields': changedFields,
  'closed-bodies': closedBodies,
  deprecations,
  'enum-descriptions': enumDescriptions,
  'open-responses': openResponses,
  'request-timestamps': requestTimestamps,
  'text-pattern': textPattern,
};

/** What `bundle` changes, in this order. */
const decorators = {
  'merged-references': mergedReferences,
  'described-deprecations': describedDeprecations,
};

export default function waybill() {
  const on = (severity, all) => Object.fromEntries(Object.keys(all).map((name) => [`waybill/${name}`, severity]));
  const configs = {
    all: { oas3_1Rules: on('error', rules), oas3_1Decorators: on('on', decorators) },
  };
  return {
    id: 'waybill',
    rules: { oas3: rules },
    decorators: { oas3: decorators },
    configs,
    typeExtension: { oas3: extensionTypes },
  };
}
