import type { OperationId } from '../fixtures/contract.ts';
import { type Break, breaksOf } from './breaks.ts';
import type { Environment, Shipment } from './environment.ts';
import { codeOf, type Expected, invalidField, refusal } from './expected.ts';
import { contractParts, type Part } from './parts.ts';
import { fitting, perform } from './perform.ts';
import { validRequest } from './requests.ts';
import type { Sent } from './send.ts';

/** One way to make an operation's valid request invalid. */
export interface RequestBreak {
  operation: OperationId;
  name: string;
  broken: (environment: Environment, shipment: Shipment) => Promise<{ sent: Sent; expected: Expected }>;
}

/** Breaks the schema of a part. */
const ofSchema = ({ operation, in: place }: Part, { place: where, keyword, broken }: Break): RequestBreak => ({
  operation,
  name: `${operation} ${place} ${where} ${keyword}`,
  broken: async (environment, shipment) => {
    const { sent, given } = validRequest(
      environment,
      operation,
      shipment,
      await fitting(environment, operation, shipment),
    );
    const { value, pointer } = environment.draw(broken(given[place], '').filter(({ value }) => canCarry(place, value)));
    const named = place === 'headers' ? pointer.toLowerCase() : pointer;
    const expected = place === 'path' ? refusal(404, 'not_found') : invalidField(place, named, codeOf(keyword));
    return { sent: { ...sent, [place]: value }, expected };
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
export const schemaBreaks: RequestBreak[] = contractParts.flatMap((part) =>
  breaksOf(part.schema, part.in !== 'body')
    .filter(({ keyword }) => part.in !== 'path' || keyword !== 'required') // that is another path
    .map((one) => ofSchema(part, one)),
);

/** A repeated query parameter. */
export const repetitions: RequestBreak[] = contractParts.flatMap(({ operation, in: place, schema }) =>
  (place === 'query' ? Object.keys(schema.properties ?? {}) : []).map((name) => ({
    operation,
    name: `${operation} query /${name} repeated`,
    broken: async (environment, shipment) => {
      const { sent } = validRequest(environment, operation, shipment);
      const query = { ...sent.query, [name]: [sent.query[name] ?? 'a', sent.query[name] ?? 'b'] };
      return { sent: { ...sent, query }, expected: invalidField('query', `/${name}`, codeOf('type')) };
    },
  })),
);

/** Sends one invalid request and records its refusal. */
export async function performBroken(
  environment: Environment,
  { name, broken }: RequestBreak,
  shipment: Shipment,
): Promise<void> {
  const { sent, expected } = await broken(environment, shipment);
  environment.trace.push(`  to break ${name}:`);
  await perform(environment, sent, expected, sent.operation.id === 'createShipment' ? undefined : shipment);
  environment.tally.reached.add(name);
}
