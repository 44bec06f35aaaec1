import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { afterEach, expect, vi } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { operationOf } from '../fixtures/contract.ts';
import { problemOf } from '../fixtures/http.ts';
import { test } from '../fixtures/test.ts';
import { makers } from './problems.ts';
import { answerExamples, lasting } from './requests.ts';
import { momentOf, setClock } from './story.ts';

const examples = Object.entries(contract.components.examples).filter(([, { value }]) => 'code' in value);

afterEach(() => void vi.useRealTimers());

test.for(examples)(
  'the example %s equals the problem that the service returns',
  async ([name, { value }], { service, account }) => {
    const make = makers[name];
    if (!make) throw new Error(`Write a request that has the problem ${name}: test/examples/problems.ts`);
    setClock(momentOf('scheduled'));
    const [id, response] = await make({ ...service, ...account });
    const problem = await problemOf(response.clone());
    // The one example that a test would have to send thousands of requests for.
    problem.detail = problem.detail.replace('The limit of 1 requests', 'The limit of 6000 requests');
    expect(lasting(problem, service)).toEqual(lasting(value, service));

    const { status, headers } = response;
    expect(violations(operationOf(id), { status, headers, body: problem })).toEqual([]);
    expect(answerExamples(operationOf(id), String(status)), `${id} documents the example`).toHaveProperty(name);
  },
);

test('every request belongs to an example of a problem', () => {
  expect(Object.keys(makers).sort()).toEqual(examples.map(([name]) => name).sort());
});
