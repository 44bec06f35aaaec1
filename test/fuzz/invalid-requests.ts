import type { OperationId } from '../fixtures/contract.ts';
import type { Environment } from './environment.ts';
import { codeOf, type Expected, invalidField, refusal, statusesAllowing } from './expected.ts';
import { until } from './given.ts';
import { type Break, breaksOf } from './invalid-values.ts';
import { fitting, perform, shipmentOf } from './perform.ts';
import { contractParts, type Made, type Part, validRequest } from './requests.ts';

/** One way to make an operation's valid request invalid. */
export interface RequestBreak {
  operation: OperationId;
  name: string;
  change: (made: Made) => { parts: Partial<Made['parts']>; expected: Expected };
}

/** Breaks the schema of a part. */
const ofSchema = ({ operation, in: place }: Part, { place: where, keyword, broken }: Break): RequestBreak => ({
  operation,
  name: `${operation} ${place} ${where} ${keyword}`,
  change: ({ given }) => {
    const { value, pointer } = until(
      () => broken(given[place], ''),
      ({ value }) => canCarry(place, value),
    );
    const named = place === 'headers' ? pointer.toLowerCase() : pointer;
    const expected = place === 'path' ? refusal(404, 'not_found') : invalidField(place, named, codeOf(keyword));
    return { parts: { [place]: value }, expected };
  },
});

/** Whether a path or header can carry the value: a URL resolves dots, and a header is trimmed. */
function canCarry(place: Part['in'], value: unknown): boolean {
  if (place === 'query' || place === 'body') return true;
  return Object.values(value as object)
    .map(String)
    .every((text) =>
      place === 'path'
        ? !['', '.', '..'].includes(text) && text.isWellFormed()
        : /^[\t -~\x80-\xff]*$/.test(text) && text.trim() === text,
    );
}

/** Every way to break a schema of the contract. */
const schemaBreaks = contractParts.flatMap((part) =>
  breaksOf(part.schema, part.in !== 'body')
    .filter(({ keyword }) => part.in !== 'path' || keyword !== 'required') // that is another path
    .map((one) => ofSchema(part, one)),
);

/** A repeated query parameter. */
const repetitions = contractParts.flatMap(({ operation, in: place, schema }) =>
  (place === 'query' ? Object.keys(schema.properties ?? {}) : []).map(
    (name): RequestBreak => ({
      operation,
      name: `${operation} query /${name} repeated`,
      change: ({ parts: { query } }) => ({
        parts: { query: { ...query, [name]: Array(2).fill(query[name] ?? 'a') } },
        expected: invalidField('query', `/${name}`, codeOf('type')),
      }),
    }),
  ),
);

export const breaks: RequestBreak[] = [...schemaBreaks, ...repetitions];
export const breaksOfOperation = (id: OperationId): RequestBreak[] => breaks.filter((one) => one.operation === id);

/** Sends one invalid request and checks its refusal. */
export async function performInvalid(environment: Environment, { operation, name, change }: RequestBreak) {
  environment.trace.push(`  to break ${name}:`);
  const shipment = await shipmentOf(environment, statusesAllowing(operation)[0] ?? 'scheduled');
  const made = validRequest(environment, operation, shipment, await fitting(environment, operation, shipment));
  const { parts, expected } = change(made);
  await perform(environment, { ...made, parts: { ...made.parts, ...parts } }, expected, shipment);
}
