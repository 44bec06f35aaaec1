import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { afterEach, expect, vi } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { operationOf } from '../fixtures/contract.ts';
import { problemOf } from '../fixtures/http.ts';
import { test } from '../fixtures/test.ts';
import { problemRequests } from './problems.ts';
import { responseExamples, withoutRandomParts } from './requests.ts';
import { setClock, timestampOf } from './shipment-history.ts';

const examples = Object.entries(contract.components.examples).filter(([, { value }]) => 'code' in value);

afterEach(() => void vi.useRealTimers());

test.for(examples)(
  'the example %s equals the problem that the service returns',
  async ([name, { value }], { service, account }) => {
    const make = problemRequests[name];
    if (!make) throw new Error(`Write a request that has the problem ${name}: test/examples/problems.ts`);
    setClock(timestampOf('scheduled'));
    const [id, response] = await make({ ...service, ...account });
    const problem = await problemOf(response.clone());
    // The example's limit would take thousands of requests.
    problem.detail = problem.detail.replace('The limit of 1 requests', 'The limit of 6000 requests');
    expect(withoutRandomParts(problem, service)).toEqual(withoutRandomParts(value, service));

    const { status, headers } = response;
    expect(violations(operationOf(id), { status, headers, body: problem })).toEqual([]);
    expect(responseExamples(operationOf(id), String(status)), `${id} documents the example`).toHaveProperty(name);
  },
);

test('every request belongs to an example of a problem', () => {
  expect(Object.keys(problemRequests).sort()).toEqual(examples.map(([name]) => name).sort());
});
