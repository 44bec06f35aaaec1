import type { ProblemCode } from '@waybill/http/problems';
import { type ContractOperation, contractOperations } from '../../fixtures/contract.ts';
import type { Received } from '../../fixtures/http.ts';
import { items } from './coverage.ts';
import { image, notModified, page, refusals, type Scenario, success } from './scenarios.ts';

/** A request and the response that it must return. */
export interface Case {
  title: string;
  operation: ContractOperation;
  scenario: Scenario | undefined;
  expected: Partial<Received>;
}

/** Every documented response, page, image type and problem code of an operation. */
function casesOf(operation: ContractOperation): Case[] {
  const { id, contentTypes, parameters } = operation;
  const own = items.filter((item) => item.operation === id);
  const successes = own.filter(({ kind, status }) => kind === 'response' && status < 400);
  const problems = own.filter(({ kind }) => kind === 'problem code');
  const types = [...contentTypes, ...own.filter(({ kind }) => kind === 'media type').map(({ name }) => name)];
  const imageTypes = [...new Set(types)].filter((type) => type.startsWith('image/'));
  const lists = parameters.some(({ name }) => name === 'limit') ? successes : [];
  const one = (title: string, scenario: Scenario | undefined, expected: Partial<Received>): Case => ({
    title: `${id} ${title}`,
    operation,
    scenario,
    expected,
  });
  return [
    ...successes.map(({ status }) => one(`returns ${status}`, status === 304 ? notModified : success, { status })),
    ...lists.map(({ status }) =>
      one(`returns ${status} with a page of a longer list`, page, { status, body: { has_more: true } }),
    ),
    ...imageTypes.map((type) =>
      one(`accepts or returns ${type}`, image(type), { status: Number(successes[0]?.status) }),
    ),
    ...problems.map(({ status, name }) =>
      one(`returns ${status} ${name}`, refusals[name as ProblemCode], { status, code: name }),
    ),
  ];
}

export const cases: Case[] = contractOperations.flatMap(casesOf);
