import { boundedSchemas } from './bounds.js';
import { describedSchemas } from './descriptions.js';
import { lifecycle } from './lifecycle.js';
import { componentNames } from './names.js';
import { documentedResponses, fittingScope, oneScope } from './operations.js';
import { errorResponses, problemExamples, problemTable } from './problems.js';
import { localRefs, plainRefs } from './refs.js';
import { relations } from './relations.js';
import { closedBodies, textFormat } from './request-bodies.js';
import { enumTables, knownWords } from './words.js';

/** The house rules that take code. Those that Redocly can express itself stand in `redocly.yaml`. */
const rules = {
  'bounded-schemas': boundedSchemas,
  'closed-bodies': closedBodies,
  'component-names': componentNames,
  'described-schemas': describedSchemas,
  'documented-responses': documentedResponses,
  'enum-tables': enumTables,
  'error-responses': errorResponses,
  'fitting-scope': fittingScope,
  'known-words': knownWords,
  lifecycle,
  'local-refs': localRefs,
  'one-scope': oneScope,
  'plain-refs': plainRefs,
  'problem-examples': problemExamples,
  'problem-table': problemTable,
  relations,
  'text-format': textFormat,
};

export default function house() {
  const all = Object.keys(rules).map((name) => [`house/${name}`, 'error']);
  return { id: 'house', rules: { oas3: rules }, configs: { all: { oas3_1Rules: Object.fromEntries(all) } } };
}
