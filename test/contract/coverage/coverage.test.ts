import type { ProblemCode } from '@waybill/http/problems';
import { type Mock, startMock } from '@waybill/mock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ContractOperation, contractOperations, problemCodes } from '../../fixtures/contract/contract.ts';
import { type Problem, type Received, receive, send } from '../../fixtures/requests/send.ts';
import { documented, returned } from './documented.ts';
import { type Environment, newContext, startEnvironment } from './environment.ts';
import { file, notModified, page, refusals, type Scenario, success } from './scenarios.ts';

let environment: Environment;
let mock: Mock;
beforeAll(async () => {
  [environment, mock] = await Promise.all([startEnvironment(), startMock()]);
});
afterAll(() => Promise.all([environment[Symbol.asyncDispose](), mock.close()]));

type Case = [title: string, scenario: Scenario | undefined, expected: Partial<Received>, operation: ContractOperation];

/** Every documented response, page, type of file and problem code of an operation. */
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
    const types = [...contentTypes, ...Object.keys(response.content ?? {})].filter((type) => /^image|pdf$/.test(type));
    const isList = parameters.some(({ name }) => name === 'limit');
    return [
      one(`returns ${status}`, success),
      ...(isList ? [one(`returns ${status} with a page of a longer list`, page, { body: { has_more: true } })] : []),
      ...types.map((type) => one(`accepts or returns ${type}`, file(type))),
    ];
  });
}

async function perform([, scenario, expected, operation]: Case): Promise<void> {
  if (!scenario) throw new Error(`Add a request that returns ${expected.code} to test/contract/coverage/scenarios.ts`);
  expect(await scenario(await newContext(environment, operation))).toMatchObject(expected);
}

const cases = contractOperations.flatMap(casesOf);
const isAlone = ([, , { code }]: Case): boolean => code === 'unavailable'; // it cuts the network
test.concurrent.for(cases.filter((one) => !isAlone(one)))('%s', (one) => perform(one));
test.for(cases.filter(isAlone))('%s', (one) => perform(one));

test('the service has returned everything that the contract documents', () => {
  const all = new Set(environment.exchanges.flatMap(returned));
  expect([...documented].filter((item) => !all.has(item))).toEqual([]);
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
    // Nor does the mock know for how long positions are retained.
    const isOld = (received.body as Partial<Problem> | undefined)?.errors?.some((error) => error.code === 'too_old');
    if (isOfFile || isOld || !ofTheRequest.test(received.code ?? '')) continue;
    expect(reported(await receive(await send(mock.url, operation, sent)))).toEqual(reported(received));
  }
});
