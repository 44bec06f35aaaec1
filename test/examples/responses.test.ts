import { isDeepStrictEqual } from 'node:util';
import { transitions } from '@waybill/contract/lifecycle';
import { timeOfUuid, uuidFromPublicId } from '@waybill/http/identifiers';
import { afterEach, describe, expect, vi } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { type ContractOperation, contractOperations, operationOf } from '../fixtures/contract.ts';
import { receive } from '../fixtures/http.ts';
import type { Status } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import {
  type Caller,
  requestExamples,
  responseExamples,
  sendExample,
  successOf,
  withoutRandomParts,
} from './requests.ts';
import { createShipmentIn, sendable, setClock, stepOf, test, timestampOf } from './shipment-history.ts';

type Body = Record<string, unknown>;

/** A request example and an example of its success. */
interface Pair {
  request: string;
  response: string;
  actual: unknown;
  expected: unknown;
}

// Others have the lists, which need several shipments, and what needs an endpoint, an exception or an access.
const operations = contractOperations.filter(
  (each) =>
    !each.id.startsWith('list') &&
    !each.id.includes('Webhook') &&
    !each.id.includes('Exception') &&
    !each.id.includes('Access') &&
    Object.keys(responseExamples(each, successOf(each))).length > 0,
);

afterEach(() => void vi.useRealTimers());

describe.each(operations)('$id', (each) => {
  const requests = Object.entries(requestExamples(each));
  if (requests.length === 0) requests.push(['no body', {}]);
  const responses = Object.entries(responseExamples(each, successOf(each)));

  test(`${each.id} returns its response examples for its request examples`, async ({ service }) => {
    const pairs: Pair[] = [];
    for (const [request, body] of requests) {
      for (const [response, example] of responses) {
        const step = stepOf(each.id, body);
        if (step && 'status' in example && example.status !== step.to) continue;
        const caller = { ...(await newAccount(service)), baseUrl: service.baseUrl };
        const actual = await responseTo(caller, each, body, example);
        const expected = { status: Number(successOf(each)), body: expectedOf(each, body, example) };
        pairs.push({ request, response, actual, expected: withoutRandomParts(expected, service) });
      }
    }
    for (const [name] of requests) expectOne(name, pairs);
    for (const [name] of responses) expectOne(name, pairs);
  });
});

/** Requires one correct pair for an example; otherwise reports the difference in the first pair. */
function expectOne(name: string, pairs: Pair[]): void {
  const own = pairs.filter(({ request, response }) => name === request || name === response);
  const pair = own.find(({ actual, expected }) => isDeepStrictEqual(actual, expected)) ?? own[0];
  if (!pair) throw new Error(`No other example matches ${name}. Remove it, or add the matching one`);
  expect(pair.actual, `${pair.request} → ${pair.response}`).toEqual(pair.expected);
}

/** Sends a request for a shipment in the status that the response example has. */
async function responseTo(caller: Caller, each: ContractOperation, body: Body, example: Body): Promise<unknown> {
  const step = stepOf(each.id, body);
  const before = step ? step.from : statusOf(example);
  const shipment = before === null ? undefined : await createShipmentIn(caller, before);
  setClock(clockOf(example) ?? lastPosition(body) ?? timestampOf(step?.to ?? before ?? 'scheduled'));
  const sent = shipment && (await sendable(caller, shipment, body));
  const received = await receive(await sendExample(caller, each, { path: { ...shipment }, body: sent ?? body }));
  expect(violations(each, received)).toEqual([]);
  const location = received.headers.get('location');
  if (location)
    expect(withoutRandomParts(location, caller)).toBe(withoutRandomParts(headerExample(each, 'Location'), caller));
  return withoutRandomParts({ status: received.status, body: received.body }, caller);
}

/** The status of the shipment in a response: its own, or that of the transition that returns the same response. */
function statusOf(example: Body): Status {
  if ('status' in example) return example.status as Status;
  if ('accepted' in example) return 'in_transit'; // positions of a shipment on its way
  const step = transitions.find(({ operation: id }) =>
    Object.values(responseExamples(operationOf(id), successOf(operationOf(id)))).some((other) =>
      isDeepStrictEqual(other, example),
    ),
  );
  return step?.to ?? 'scheduled';
}

/** An upload id contains the timestamp of its declaration, and a shipment has that of its last change. */
function clockOf({ upload_id, updated_at }: Body): number | undefined {
  if (typeof upload_id === 'string') return timeOfUuid(uuidFromPublicId('upl', upload_id)).getTime();
  return typeof updated_at === 'string' ? Date.parse(updated_at) : undefined;
}

/** When the newest position of a request was reported. */
const lastPosition = ({ positions }: Body): number | undefined =>
  Array.isArray(positions) ? Math.max(...positions.map(({ updated_at }) => Date.parse(updated_at))) : undefined;

/** A response that contains the whole request has the values of the request, and otherwise those of the example. */
function expectedOf(each: ContractOperation, body: Body, example: Body): Body {
  const sent = new Set(Object.values(requestExamples(each)).flatMap(Object.keys));
  const hasUploads = 'photos' in body; // the response has their URLs
  if (sent.size === 0 || hasUploads || !Object.keys(body).every((name) => name in example)) return example;
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
