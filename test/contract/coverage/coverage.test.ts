import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import type { ProblemCode } from '@waybill/http/problems';
import { type Mock, startMock } from '@waybill/mock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ContractOperation,
  contractOperations,
  type OperationId,
  operationOf,
  problemCodes,
} from '../../fixtures/contract.ts';
import { type Problem, type Received, receive, send } from '../../fixtures/http.ts';
import { responseExamples } from '../examples/requests.ts';
import { documented, type Exchange, returned } from './coverage.ts';
import { type Environment, newContext, startEnvironment } from './environment.ts';
import { examples, image, notModified, page, refusals, type Scenario, success } from './scenarios.ts';

let environment: Environment;
let mock: Mock;
beforeAll(async () => {
  [environment, mock] = await Promise.all([startEnvironment(), startMock()]);
});
afterAll(() => Promise.all([environment[Symbol.asyncDispose](), mock.close()]));

/** A request and the response that it must return. */
type Case = [title: string, scenario: Scenario | undefined, expected: Partial<Received>, operation: ContractOperation];

/** Every documented response, page, image type and problem code of an operation. */
function casesOf(operation: ContractOperation): Case[] {
  const { id, contentTypes, parameters, responses } = operation;
  return Object.entries(responses).flatMap(([code, response]): Case[] => {
    const status = Number(code);
    const one = (title: string, scenario: Scenario | undefined, expected: Partial<Received> = {}): Case => {
      return [`${id} ${title}`, scenario, { status, ...expected }, operation];
    };
    if (status >= 400) {
      return problemCodes(response).map((name) =>
        one(`returns ${status} ${name}`, refusals[name as ProblemCode], { code: name }),
      );
    }
    if (status === 304) return [one('returns 304', notModified)];
    const types = [...contentTypes, ...Object.keys(response.content ?? {})].filter((type) => type.startsWith('image/'));
    const isList = parameters.some(({ name }) => name === 'limit');
    return [
      one(`returns ${status}`, success),
      ...(isList ? [one(`returns ${status} with a page of a longer list`, page, { body: { has_more: true } })] : []),
      ...types.map((type) => one(`accepts or returns ${type}`, image(type))),
    ];
  });
}

async function perform([, scenario, expected, operation]: Case): Promise<void> {
  if (!scenario) throw new Error(`Add a request that returns ${expected.code} to test/contract/coverage/scenarios.ts`);
  const received = await scenario(await newContext(environment, operation));
  const isAccepted = expected.code !== undefined && received.status < 300;
  const hint = isAccepted
    ? `The handler of ${operation.id} in packages/server/src/<module>/handlers.ts accepts the request. The group of a \`planForGroup\` returns \`commit_alone\` for it.`
    : undefined;
  expect(received, hint).toMatchObject(expected);
}

const cases = contractOperations.flatMap(casesOf);
const isAlone = ([, , { code }]: Case): boolean => code === 'unavailable'; // it cuts the network
test.concurrent.for(cases.filter((one) => !isAlone(one)))('%s', (one) => perform(one));
test.for(cases.filter(isAlone))('%s', (one) => perform(one));

test('every problem code with a scenario has an example at an operation', () => {
  const codes = new Set(cases.flatMap(([, , { code }]) => code ?? []));
  const hint = 'Add an example to spec/examples/problems.yaml, and use it in spec/responses.yaml.';
  expect([...codes].sort(), hint).toEqual(Object.keys(refusals).sort());
});

test('the service has returned everything that the contract documents', () => {
  const all = new Set(environment.exchanges.flatMap(returned));
  expect([...documented].filter((item) => !all.has(item))).toEqual([]);
});

/** Apart from the others, because the mock reports these fields in other words. */
const ofExamples: Exchange[] = [];

test.concurrent.for(Object.entries(examples))('%s returns its problem example', async ([id, scenario]) => {
  const context = await newContext({ ...environment, exchanges: ofExamples }, operationOf(id as OperationId));
  expect((await scenario(context)).status).toBeGreaterThanOrEqual(400);
});

/** A problem without what differs in each response. The example's rate limit would take thousands of requests. */
const comparable = (problem: unknown): object =>
  JSON.parse(
    JSON.stringify(problem)
      .replace(/"request_id":"[^"]+"/, '"request_id":""')
      .replace(/(ship|acc|whe|exc)_\w{26}|[A-Z]{2,8}-\d{4}-\d{6,}|(?<=(uploads|files)\/)[\w-]{71}/g, '…')
      .replace('The limit of 1 requests', 'The limit of 6000 requests'),
  );

test('the service has returned every problem example of the contract', () => {
  const problemExamples = Object.entries<{ value: object }>(contract.components.examples).filter(
    ([, { value }]) => 'request_id' in value,
  );
  for (const [name, { value }] of problemExamples) {
    const bodies = [...environment.exchanges, ...ofExamples].flatMap(
      ({ operation, received: { status, code, body } }) =>
        code === (value as Problem).code && name in responseExamples(operation, String(status)) ? [body] : [],
    );
    expect.soft(bodies.map(comparable), name).toContainEqual(comparable(value));
  }
  const { id, tracking_number } = contract.components.examples.ShipmentScheduled.value;
  for (const own of JSON.stringify(problemExamples).match(/ship_\w+|FRT-[\d-]+/g) ?? []) {
    expect([id, tracking_number], 'all examples are of one shipment').toContain(own);
  }
});

/** Problems that the mock finds in the request alone. */
const ofTheRequest = /^(invalid_request|malformed_request|unauthenticated|payload_too_large|unsupported_media_type)$/;

/** What the mock and the service must report alike: the code and, of invalid fields, every error. */
function reported({ status, code, body }: Received): unknown {
  const { errors, detail } = body as Problem;
  return { status, code, errors, ...(errors && { detail }) };
}

test.for(contractOperations)('the mock returns the problems of the service for $id', async (operation) => {
  const exchanges = environment.exchanges.filter((exchange) => exchange.operation === operation);
  expect(exchanges.length).toBeGreaterThan(0);
  for (const { sent, received } of exchanges) {
    // Only the service knows the declared size of a file.
    const isOfFile = sent.file?.type.startsWith('image/') && received.status === 413;
    if (isOfFile || !ofTheRequest.test(received.code ?? '')) continue;
    expect(reported(await receive(await send(mock.url, operation, sent)))).toEqual(reported(received));
  }
});
