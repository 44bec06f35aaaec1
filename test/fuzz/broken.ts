import fc from 'fast-check';
import type { OperationId } from '../fixtures/contract.ts';
import type { Status } from '../fixtures/shipments.ts';
import { type Break, breaksOf } from './breaks.ts';
import { contractParts, type Part } from './parts.ts';
import { fitting, perform } from './perform.ts';
import { validRequest } from './requests.ts';
import type { Payload, Sent } from './send.ts';
import { codeOf, faulty, refusal, type Verdict } from './verdict.ts';
import type { Shipment, World } from './world.ts';

/** One way to break an operation's requests: a valid one is made, and spoilt in one thing. */
export interface RequestBreak {
  operation: OperationId;
  name: string;
  /** Another shipment that must be there, brought before the one that the request is about. */
  needs?: Status;
  broken: (world: World, shipment: Shipment) => Promise<{ sent: Sent; verdict: Verdict }>;
}

/** Breaks what the schema of a part says. */
const ofSchema = ({ operation, in: place }: Part, { place: where, keyword, broken }: Break): RequestBreak => ({
  operation,
  name: `${operation} ${place} ${where} ${keyword}`,
  broken: async (world, shipment) => {
    const { sent, given } = validRequest(world, operation, shipment, await fitting(world, operation, shipment));
    const { value, pointer } = world.draw(broken(given[place], '').filter(({ value }) => canSay(place, value)));
    const named = place === 'headers' ? pointer.toLowerCase() : pointer;
    const verdict = place === 'path' ? refusal(404, 'not_found') : faulty(place, named, codeOf(keyword));
    return { sent: { ...sent, [place]: value }, verdict };
  },
});

/** What can be written in a URL's path, which swallows dots, and in a header, which has no white space around it. */
function canSay(place: Part['in'], value: unknown): boolean {
  if (place === 'query' || place === 'body') return true;
  return Object.values(value as object)
    .map(String)
    .every((text) =>
      place === 'path'
        ? !['', '.', '..'].includes(text) && text.isWellFormed()
        : /^[\t -~\x80-\xff]*$/.test(text) && text.trim() === text,
    );
}

/** Every way that a schema of the contract can be broken. */
export const schemaBreaks: RequestBreak[] = contractParts.flatMap((part) =>
  breaksOf(part.schema, part.in !== 'body')
    .filter(({ keyword }) => part.in !== 'path' || keyword !== 'required') // that would be another address
    .map((one) => ofSchema(part, one)),
);

/** A query parameter that is there twice. */
export const repetitions: RequestBreak[] = contractParts.flatMap(({ operation, in: place, schema }) =>
  (place === 'query' ? Object.keys(schema.properties ?? {}) : []).map((name) => ({
    operation,
    name: `${operation} query /${name} repeated`,
    broken: async (world, shipment) => {
      const { sent } = validRequest(world, operation, shipment);
      const query = { ...sent.query, [name]: [sent.query[name] ?? 'a', sent.query[name] ?? 'b'] };
      return { sent: { ...sent, query }, verdict: faulty('query', `/${name}`, codeOf('type')) };
    },
  })),
);

const malformed = refusal(400, 'malformed_request');
const contentType = 'application/json';
/** Bodies that are missing, no JSON or of another type. */
const bodies: Record<string, { spoil: (bytes: Buffer<ArrayBuffer>) => fc.Arbitrary<Payload>; verdict: Verdict }> = {
  missing: { spoil: () => fc.constantFrom({}, { contentType }), verdict: faulty('body', '', codeOf('required')) },
  'of another type': {
    spoil: (bytes) =>
      fc
        .constantFrom('text/plain', 'image/png', 'application/jsonp', 'multipart/form-data')
        .map((other) => ({ bytes, contentType: other })),
    verdict: refusal(415, 'unsupported_media_type'),
  },
  'cut off': {
    spoil: (bytes) =>
      fc.integer({ min: 1, max: bytes.length - 1 }).map((end) => ({ bytes: bytes.subarray(0, end), contentType })),
    verdict: malformed,
  },
  'not in UTF-8': {
    spoil: () => fc.constant({ bytes: Buffer.from('{"reason":"caf\xe9"}', 'latin1'), contentType }),
    verdict: malformed,
  },
};

export const bodyBreaks: RequestBreak[] = contractParts.flatMap(({ operation, in: place }) =>
  (place === 'body' ? Object.entries(bodies) : []).map(([what, { spoil, verdict }]) => ({
    operation,
    name: `${operation} body ${what}`,
    broken: async (world, shipment) => {
      const { sent } = validRequest(world, operation, shipment);
      return { sent: { ...sent, raw: world.draw(spoil(Buffer.from(JSON.stringify(sent.body)))) }, verdict };
    },
  })),
);

/** Sends one broken request, and notes that it was refused. */
export async function performBroken(world: World, { name, broken }: RequestBreak, shipment: Shipment): Promise<void> {
  const { sent, verdict } = await broken(world, shipment);
  world.trace.push(`  to break ${name}:`);
  await perform(world, sent, verdict, sent.operation.id === 'createShipment' ? undefined : shipment);
  world.tally.reached.add(name);
}
