import type { ProblemCode } from '@waybill/server/problems';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractOperations } from '../harness/contract.ts';
import { images } from '../harness/images.ts';
import { cells } from './cells.ts';
import { image, notModified, refusals, success } from './scenarios.ts';
import { type Stage, sceneOf, setUp } from './stage.ts';
import { tableOf } from './table.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setUp();
});
afterAll(() => stage[Symbol.asyncDispose]());

const imageTypes = Object.keys(images) as (keyof typeof images)[];

describe.each(contractOperations)('$id', (operation) => {
  const own = cells.filter((cell) => cell.operation === operation.id);
  const successes = own.filter(({ kind, status }) => kind === 'response' && status < 400);
  const problems = own.filter(({ kind, name }) => kind === 'problem code' && name !== 'idempotency_in_progress');

  test.each(successes)('answers $status', async ({ status }) => {
    const scenario = status === 304 ? notModified : success;
    expect(await scenario(await sceneOf(stage, operation))).toMatchObject({ status });
  });

  const types = [...operation.contentTypes, ...own.filter(({ kind }) => kind === 'media type').map(({ name }) => name)];
  test.each(imageTypes.filter((type) => types.includes(type)))('takes and gives %s', async (type) => {
    const { status } = await image(type)(await sceneOf(stage, operation));
    expect(status).toBe(successes[0]?.status);
  });

  test.each(problems)('answers $status $name', async ({ status, name }) => {
    const scenario = refusals[name as ProblemCode];
    if (!scenario) throw new Error(`Teach the coverage how ${name} is brought about: test/contract/scenarios.ts`);
    expect(await scenario(await sceneOf(stage, operation))).toMatchObject({ status, code: name });
  });
});

describe.concurrent('while the first request with this key is still running', () => {
  const waiting = contractOperations.filter(({ id }) =>
    cells.some(({ operation, name }) => operation === id && name === 'idempotency_in_progress'),
  );
  test.each(waiting)('$id answers 409 idempotency_in_progress', async (operation) => {
    const answered = await refusals.idempotency_in_progress?.(await sceneOf(stage, operation));
    expect(answered).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
  });
});

test('the real server has shown everything that the contract says', () => {
  console.log(tableOf(stage.coverage));
  expect(stage.coverage.missing()).toEqual([]);
});
