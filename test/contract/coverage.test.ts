import { type Mock, startMock } from '@waybill/mock';
import type { ProblemCode } from '@waybill/server/http/problems';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { contractOperations } from '../fixtures/contract.ts';
import type { Problem } from '../fixtures/http.ts';
import { images } from '../fixtures/images.ts';
import '../fixtures/quality.ts';
import { type Answered, partsOf, sendTo } from './ask.ts';
import { cells, kinds } from './cells.ts';
import { image, notModified, page, refusals, success } from './scenarios.ts';
import { documented, fieldsOfAnswer } from './shown.ts';
import { type Stage, sceneOf, setUp } from './stage.ts';

let stage: Stage;
let mock: Mock;
beforeAll(async () => {
  [stage, mock] = await Promise.all([setUp(), startMock()]);
});
afterAll(() => Promise.all([stage[Symbol.asyncDispose](), mock.close()]));

/** Problems that need nothing but the request to be found. */
const ofTheRequest = /^(invalid_request|malformed_request|unauthenticated|payload_too_large|unsupported_media_type)$/;

/** What the mock must say as the server says it: the code, and of fields at fault every word. */
function saidOf({ status, code, body }: Answered): unknown {
  const { errors, detail } = body as Problem;
  return { status, code, errors, ...(errors && { detail }) };
}

const isImageType = (type: string): type is keyof typeof images => type in images;

describe.each(contractOperations)('$id', (operation) => {
  const own = cells.filter((cell) => cell.operation === operation.id);
  const successes = own.filter(({ kind, status }) => kind === 'response' && status < 400);
  const problems = own.filter(({ kind, name }) => kind === 'problem code' && name !== 'idempotency_in_progress');

  test.each(successes)('returns $status', async ({ status }) => {
    const scenario = status === 304 ? notModified : success;
    expect(await scenario(await sceneOf(stage, operation))).toMatchObject({ status });
  });

  const lists = operation.parameters.some(({ name }) => name === 'cursor') ? successes : [];
  test.each(lists)('returns $status with a page of a longer list', async ({ status }) => {
    expect(await page(await sceneOf(stage, operation))).toMatchObject({ status, body: { has_more: true } });
  });

  const types = [...operation.contentTypes, ...own.filter(({ kind }) => kind === 'media type').map(({ name }) => name)];
  test.each([...new Set(types)].filter((type) => type.startsWith('image/')))('accepts or returns %s', async (type) => {
    if (!isImageType(type)) throw new Error(`Add an image of the type ${type}: test/fixtures/images.ts`);
    const { status } = await image(type)(await sceneOf(stage, operation));
    expect(status).toBe(successes[0]?.status);
  });

  test.each(problems)('returns $status $name', async ({ status, name }) => {
    const scenario = refusals[name as ProblemCode];
    if (!scenario) throw new Error(`Teach the coverage how ${name} is brought about: test/contract/scenarios.ts`);
    expect(await scenario(await sceneOf(stage, operation))).toMatchObject({ status, code: name });
  });
});

describe.concurrent('while the first request with the same key is running', () => {
  const waiting = contractOperations.filter(({ id }) =>
    cells.some(({ operation, name }) => operation === id && name === 'idempotency_in_progress'),
  );
  test.each(waiting)('$id returns 409 idempotency_in_progress', async (operation) => {
    const answered = await refusals.idempotency_in_progress?.(await sceneOf(stage, operation));
    expect(answered).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
  });
});

test('the service has returned everything that the contract documents', ({ task }) => {
  expect(stage.coverage.missing()).toEqual([]);
  const shown = stage.asker.exchanges.flatMap(({ operation, answered }) => [...fieldsOfAnswer(operation.id, answered)]);
  const fields = new Set(shown);
  expect([...documented].filter((field) => !fields.has(field))).toEqual([]);
  task.meta.measurements = {
    'documented fields returned by the service': `${fields.size} of ${documented.size}`,
    ...Object.fromEntries(
      kinds.map((kind) => [`documented ${kind}s returned by the service`, stage.coverage.total(kind)]),
    ),
  };
});

describe.each(contractOperations)('the mock, with the requests that the service got for $id,', (operation) => {
  const preferenceFor = (status: number, code: string | undefined): string => {
    const examples = Object.values(operation.responses[status]?.content ?? {}).flatMap(({ examples = {} }) =>
      Object.entries(examples),
    );
    const [name] = examples.find(([, { value }]) => (value as { code?: string }).code === code) ?? [];
    return `code=${status}${code ? `, example=${name}` : ''}`;
  };

  test('returns the same status and code with Prefer, and a response that obeys the contract', async () => {
    const exchanges = stage.asker.exchanges.filter((exchange) => exchange.operation === operation);
    expect(exchanges.length).toBeGreaterThan(0);
    for (const { asked, answered } of exchanges) {
      const headers = { ...asked.headers, prefer: preferenceFor(answered.status, answered.code) };
      const mocked = await partsOf(await sendTo(mock.url, operation, { ...asked, headers }));
      expect(mocked).toMatchObject({ status: answered.status, code: answered.code });
      expect(violations(operation, mocked)).toEqual([]);
    }
  });

  test("returns the service's problem for a request that is invalid in itself", async () => {
    for (const { asked, answered } of stage.asker.exchanges.filter((exchange) => exchange.operation === operation)) {
      // How large a file may be is known by who declared it.
      const isTold = ofTheRequest.test(answered.code ?? '') && !(asked.file && answered.status === 413);
      if (isTold) expect(saidOf(await partsOf(await sendTo(mock.url, operation, asked)))).toEqual(saidOf(answered));
    }
  });
});
