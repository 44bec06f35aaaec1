import { fieldErrorCodes } from '@waybill/contract/field-error-codes';
import type { OperationId } from '../../fixtures/contract.ts';
import { drawing, until } from './given.ts';
import { type Break, breaksOf } from './invalid-values.ts';
import type { Prepared } from './prepare.ts';
import { contractParts, type Expected, type Made, type Part, perform, validRequest } from './requests.ts';

/** One way to make an operation's valid request invalid. */
export interface RequestBreak {
  operation: OperationId;
  keyword: string;
  change: (made: Made) => { made: Made; expected: Expected };
}

/** A 400 that names the one invalid field. A value of the path that is invalid names nothing. */
const refusal = (place: Part['in'], pointer: string, keyword: string): Expected =>
  place === 'path'
    ? { status: 404, code: 'not_found' }
    : {
        status: 400,
        code: 'invalid_request',
        field: { in: place, pointer, code: fieldErrorCodes[keyword] ?? `no code for ${keyword}` },
      };

/** Breaks the schema of a part. */
const ofSchema = ({ operation, in: place }: Part, { keyword, broken }: Break): RequestBreak => ({
  operation,
  keyword,
  change: (made) => {
    const { value, pointer } = until(
      () => broken(made.given[place], ''),
      ({ value }) => canCarry(place, value),
    );
    const named = place === 'headers' ? pointer.toLowerCase() : pointer;
    return { made: { ...made, [place]: value }, expected: refusal(place, named, keyword) };
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
      keyword: 'type',
      change: (made) => ({
        made: { ...made, query: { ...made.query, [name]: Array(2).fill(made.query[name] ?? 'a') } },
        expected: refusal('query', `/${name}`, 'type'),
      }),
    }),
  ),
);

const breaks: RequestBreak[] = [...schemaBreaks, ...repetitions];
export const breaksOfOperation = (id: OperationId): RequestBreak[] => breaks.filter((one) => one.operation === id);

/** Sends one invalid request and checks its refusal. */
export async function performInvalid(
  to: { baseUrl: string; key: string },
  one: RequestBreak,
  prepared: Prepared,
  seed: number,
): Promise<void> {
  const draw = drawing(seed + breaks.indexOf(one));
  const { made, expected } = one.change(validRequest(one.operation, prepared, { draw }));
  await perform(to, made, expected, seed);
}
