import fc from 'fast-check';
import type { OperationId } from '../harness/contract.ts';
import type { Status } from '../harness/journeys.ts';
import { type Break, breaksOf } from './breaks.ts';
import { contractParts, type Part } from './parts.ts';
import { found, perform } from './perform.ts';
import { type About, validRequest } from './requests.ts';
import type { Sent } from './send.ts';
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
function ofSchema(part: Part, { place, keyword, broken }: Break): RequestBreak {
  const { operation } = part;
  return {
    operation,
    name: `${operation} ${part.in} ${place} ${keyword}`,
    broken: async (world, shipment) => {
      const about: About = { shipment, ...(await found(world, operation, shipment)), allowed: true };
      const { sent, given } = validRequest(world, operation, about);
      const { value, pointer } = world.draw(broken(given[part.in], '').filter(({ value }) => canSay[part.in](value)));
      return { sent: { ...sent, [fieldOf[part.in]]: value }, verdict: verdictOf(part, pointer, keyword) };
    },
  };
}

const fieldOf = { path: 'path', query: 'query', header: 'headers', body: 'body' } as const;
const textsOf = (value: unknown): string[] => Object.values(value as object).map(String);
/** What can be written in each part: a URL's path swallows dots, a header has no white space around it. */
const canSay: Record<Part['in'], (value: unknown) => boolean> = {
  path: (value) => textsOf(value).every((text) => !['', '.', '..'].includes(text) && text.isWellFormed()),
  query: () => true,
  header: (value) => textsOf(value).every((text) => /^[\t -~\x80-\xff]*$/.test(text) && text.trim() === text),
  body: () => true,
};

function verdictOf(part: Part, pointer: string, keyword: string): Verdict {
  if (part.in === 'path') return refusal(404, 'not_found');
  if (part.in === 'header') return faulty('headers', pointer.toLowerCase(), codeOf(keyword));
  return faulty(part.in, pointer, codeOf(keyword));
}

/** Every way that a schema of the contract can be broken. */
export const schemaBreaks: RequestBreak[] = contractParts.flatMap((part) =>
  breaksOf(part.schema, part.in !== 'body')
    .filter(({ keyword }) => part.in !== 'path' || keyword !== 'required') // that would be another address
    .map((one) => ofSchema(part, one)),
);

/** A query parameter that is there twice. */
export const repetitions: RequestBreak[] = contractParts.flatMap((part) =>
  (part.in === 'query' ? Object.keys(part.schema.properties ?? {}) : []).map(
    (name): RequestBreak => ({
      operation: part.operation,
      name: `${part.operation} query /${name} repeated`,
      broken: async (world, shipment) => {
        const { sent } = validRequest(world, part.operation, { shipment });
        const [, own] = Object.entries(sent.query).find(([key]) => key === name) ?? [];
        const query = { ...sent.query, [name]: [own ?? 'a', own ?? 'b'] };
        return { sent: { ...sent, query }, verdict: faulty('query', `/${name}`, codeOf('type')) };
      },
    }),
  ),
);

/** Bodies that are missing, no JSON or of another type. */
export const bodyBreaks: RequestBreak[] = contractParts.flatMap(({ operation, in: place }) => {
  if (place !== 'body') return [];
  const named = (
    what: string,
    spoil: (sent: Sent, world: World) => { raw: Sent['raw']; verdict: Verdict },
  ): RequestBreak => ({
    operation,
    name: `${operation} body ${what}`,
    broken: async (world, shipment) => {
      const { sent } = validRequest(world, operation, { shipment });
      const { raw, verdict } = spoil(sent, world);
      return { sent: { ...sent, body: undefined, ...(raw && { raw }) }, verdict };
    },
  });
  const bytesOf = ({ body }: Sent) => new TextEncoder().encode(JSON.stringify(body));
  return [
    named('missing', (_, { draw }) => ({
      raw: draw(fc.constantFrom({}, { contentType: 'application/json' })),
      verdict: faulty('body', '', codeOf('required')),
    })),
    named('of another type', (sent, { draw }) => ({
      raw: {
        bytes: bytesOf(sent),
        contentType: draw(fc.constantFrom('text/plain', 'image/png', 'application/jsonp', 'multipart/form-data')),
      },
      verdict: refusal(415, 'unsupported_media_type'),
    })),
    named('cut off', (sent, { draw }) => ({
      raw: {
        bytes: bytesOf(sent).slice(0, draw(fc.integer({ min: 1, max: bytesOf(sent).length - 1 }))),
        contentType: 'application/json',
      },
      verdict: refusal(400, 'malformed_request'),
    })),
    named('not in UTF-8', () => ({
      raw: { bytes: Uint8Array.from(Buffer.from('{"reason":"caf\xe9"}', 'latin1')), contentType: 'application/json' },
      verdict: refusal(400, 'malformed_request'),
    })),
  ];
});

/** Sends one broken request, and notes that it was refused. */
export async function performBroken(world: World, { name, broken }: RequestBreak, shipment: Shipment): Promise<void> {
  const { sent, verdict } = await broken(world, shipment);
  world.trace.push(`  to break ${name}:`);
  await perform(world, 'broken', sent, verdict, sent.operation.id === 'createShipment' ? undefined : shipment);
  world.tally.refused.add(name);
}
