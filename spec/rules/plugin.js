import { closedBodies, openResponses, textFormat } from './bodies.js';
import { boundedSchemas } from './bounds.js';
import { describedSchemas } from './descriptions.js';
import { enumTables } from './enum-tables.js';
import { lifecycle } from './lifecycle.js';
import { componentNames } from './names.js';
import { documentedResponses, fittingScope, oneScope } from './operations.js';
import { errorResponses, problemExamples, problemTable } from './problems.js';
import { localRefs, plainPathRefs } from './refs.js';
import { relations } from './relations.js';
import { commonHeaders, eventStatuses, mergedSchemas, pathParameters, typesPattern } from './shorthands.js';

/** Waybill's rules that need code. `redocly.yaml` has those that Redocly's own assertions can express. */
const rules = {
  'bounded-schemas': boundedSchemas,
  'closed-bodies': closedBodies,
  'component-names': componentNames,
  'described-schemas': describedSchemas,
  'documented-responses': documentedResponses,
  'enum-tables': enumTables,
  'error-responses': errorResponses,
  'fitting-scope': fittingScope,
  lifecycle,
  'local-refs': localRefs,
  'one-scope': oneScope,
  'open-responses': openResponses,
  'plain-path-refs': plainPathRefs,
  'problem-examples': problemExamples,
  'problem-table': problemTable,
  relations,
  'text-format': textFormat,
};

const preprocessors = {
  'common-headers': commonHeaders,
  'event-statuses': eventStatuses,
  'merged-schemas': mergedSchemas,
  'path-parameters': pathParameters,
  'types-pattern': typesPattern,
};

export default function waybill() {
  const all = Object.keys(rules).map((name) => [`waybill/${name}`, 'error']);
  const on = Object.keys(preprocessors).map((name) => [`waybill/${name}`, 'on']);
  const configs = { all: { oas3_1Rules: Object.fromEntries(all), oas3_1Preprocessors: Object.fromEntries(on) } };
  return { id: 'waybill', rules: { oas3: rules }, preprocessors: { oas3: preprocessors }, configs };
}
