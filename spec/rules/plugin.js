import { closedBodies, openResponses, parameterExamples, patternExamples, textPattern } from './bodies.js';
import { boundedSchemas } from './bounds.js';
import { describedSchemas } from './descriptions.js';
import { enumTables, eventTypes, listParameters } from './enum-tables.js';
import { extensionTypes } from './extensions.js';
import { lifecycle } from './lifecycle.js';
import { mergedReferences } from './merged-references.js';
import { problemExamples } from './problems.js';
import { componentNames, localRefs, plainPathRefs } from './refs.js';
import { timeRules } from './time-rules.js';

/** Waybill's rules that need code. `redocly.yaml` has those that Redocly's own assertions can express. */
const rules = {
  'bounded-schemas': boundedSchemas,
  'closed-bodies': closedBodies,
  'component-names': componentNames,
  'described-schemas': describedSchemas,
  'enum-tables': enumTables,
  'event-types': eventTypes,
  lifecycle,
  'list-parameters': listParameters,
  'local-refs': localRefs,
  'open-responses': openResponses,
  'parameter-examples': parameterExamples,
  'pattern-examples': patternExamples,
  'plain-path-refs': plainPathRefs,
  'problem-examples': problemExamples,
  'text-pattern': textPattern,
  'time-rules': timeRules,
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
