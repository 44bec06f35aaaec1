import { closedBodies, openResponses, requestTimestamps, textPattern } from './bodies.js';
import { extensionTypes } from './extensions.js';
import { mergedReferences } from './merged-references.js';
import { changedFields, enumDescriptions } from './tables.js';

/** Waybill's rules that need code. `redocly.yaml` has those that Redocly's own assertions can express. */
const rules = {
  'changed-fields': changedFields,
  'closed-bodies': closedBodies,
  'enum-descriptions': enumDescriptions,
  'open-responses': openResponses,
  'request-timestamps': requestTimestamps,
  'text-pattern': textPattern,
};

export default function waybill() {
  const all = Object.keys(rules).map((name) => [`waybill/${name}`, 'error']);
  const configs = {
    all: { oas3_1Rules: Object.fromEntries(all), oas3_1Decorators: { 'waybill/merged-references': 'on' } },
  };
  const decorators = { 'merged-references': mergedReferences };
  return {
    id: 'waybill',
    rules: { oas3: rules },
    decorators: { oas3: decorators },
    configs,
    typeExtension: { oas3: extensionTypes },
  };
}
