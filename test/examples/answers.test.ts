import { isDeepStrictEqual } from 'node:util';
import { transitions } from '@waybill/contract/lifecycle';
import { createdAt, uuidOf } from '@waybill/server/database/identifiers';
import { afterEach, describe, expect, vi } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { type ContractOperation, contractOperations, operationOf } from '../fixtures/contract.ts';
import type { Status } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { type Asker, answerExamples, ask, lasting, requestExamples, successOf } from './requests.ts';
import { momentOf, sendable, setClock, stepOf, tell } from './story.ts';

type Body = Record<string, unknown>;

/** A request example beside an example of its success. */
interface Pair {
  request: string;
  answer: string;
  actual: unknown;
  expected: unknown;
}

// Lists tell of more than one shipment: lists.test.ts.
const asked = contractOperations.filter(
  (each) => !each.id.startsWith('list') && Object.keys(answerExamples(each, successOf(each))).length > 0,
);

afterEach(() => void vi.useRealTimers());

describe.each(asked)('$id', (each) => {
  const requests = Object.entries(requestExamples(each));
  if (requests.length === 0) requests.push(['no body', {}]);
  const answers = Object.entries(answerExamples(each, successOf(each)));

  test('returns its response examples for its request examples', async ({ service }) => {
    const pairs: Pair[] = [];
    for (const [request, body] of requests) {
      for (const [answer, example] of answers) {
        const step = stepOf(each.id, body);
        if (step && 'status' in example && example.status !== step.to) continue;
        const asker = { ...(await newAccount(service)), baseUrl: service.baseUrl };
        const actual = await answerTo(asker, each, body, example);
        const expected = { status: Number(successOf(each)), body: expectedOf(each, body, example) };
        pairs.push({ request, answer, actual, expected: lasting(expected, service) });
      }
    }
    for (const [name] of requests) expectOne(name, pairs);
    for (const [name] of answers) expectOne(name, pairs);
  });
});

/** One of an example's pairs is as the contract says; when none is, the first shows what is different. */
function expectOne(name: string, pairs: Pair[]): void {
  const own = pairs.filter(({ request, answer }) => name === request || name === answer);
  const pair = own.find(({ actual, expected }) => isDeepStrictEqual(actual, expected)) ?? own[0];
  if (!pair) throw new Error(`No example goes with ${name}: drop it, or write the one that does`);
  expect(pair.actual, `${pair.request} → ${pair.answer}`).toEqual(pair.expected);
}

/** Sends a request where the story stands when this answer comes. */
async function answerTo(asker: Asker, each: ContractOperation, body: Body, example: Body): Promise<unknown> {
  const step = stepOf(each.id, body);
  const before = step ? step.from : standing(example);
  const told = before === null ? undefined : await tell(asker, before);
  setClock(clockOf(example) ?? momentOf(step?.to ?? before ?? 'scheduled'));
  const sent = told && (await sendable(asker, told, body));
  const response = await ask(asker, each, { path: { ...told } }, each.body === undefined ? undefined : (sent ?? body));
  const { status, headers } = response;
  const answered = await response.json();
  const location = headers.get('location');
  expect(violations(each, { status, headers, body: answered })).toEqual([]);
  if (location) expect(lasting(location, asker)).toBe(lasting(headerExample(each, 'Location'), asker));
  return lasting({ status, body: answered }, asker);
}

/** Where the shipment stands that an answer tells of: it says so, or a step ends with the same answer. */
function standing(example: Body): Status {
  if ('status' in example) return example.status as Status;
  const step = transitions.find(({ operation: id }) =>
    Object.values(answerExamples(operationOf(id), successOf(operationOf(id)))).some((other) =>
      isDeepStrictEqual(other, example),
    ),
  );
  return step?.to ?? 'scheduled';
}

/** An upload's identifier has the moment of its declaration inside. */
const clockOf = ({ upload_id }: Body): number | undefined =>
  typeof upload_id === 'string' ? createdAt(uuidOf('upl', upload_id)).getTime() : undefined;

/** What is answered with all that was sent in it, says what was sent; the examples' other values stay. */
function expectedOf(each: ContractOperation, body: Body, example: Body): Body {
  const sent = new Set(Object.values(requestExamples(each)).flatMap(Object.keys));
  if (sent.size === 0 || ![...sent].every((name) => name in example)) return example;
  const added = Object.entries(example).filter(([name]) => !sent.has(name));
  return inUtc({ ...Object.fromEntries(added), ...body });
}

const inUtc = (body: Body): Body =>
  JSON.parse(JSON.stringify(body), (_, value) =>
    /^\d{4}-\d\d-\d\dT.+[+-]\d\d:\d\d$/.test(value) ? new Date(value).toISOString() : value,
  );

function headerExample(each: ContractOperation, name: string): unknown {
  const header = each.responses[successOf(each)]?.headers?.[name];
  return (header as { example?: unknown } | undefined)?.example;
}
