import { type Mock, startMock } from '@waybill/mock';
import type { ProblemCode } from '@waybill/server/http/problems';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { contractOperations } from '../fixtures/contract.ts';
import { type Problem, type Received, receive, send } from '../fixtures/http.ts';
import { images } from '../fixtures/images.ts';
import '../fixtures/quality.ts';
import { items, kinds } from './coverage.ts';
import { documented, fieldsOfResponse } from './documented-fields.ts';
import { type Environment, newContext, startEnvironment } from './environment.ts';
import { image, notModified, page, refusals, success } from './scenarios.ts';

let environment: Environment;
let mock: Mock;
beforeAll(async () => {
  [environment, mock] = await Promise.all([startEnvironment(), startMock()]);
});
afterAll(() => Promise.all([environment[Symbol.asyncDispose](), mock.close()]));

/** Problems that the mock finds in the request alone. */
const ofTheRequest = /^(invalid_request|malformed_request|unauthenticated|payload_too_large|unsupported_media_type)$/;

/** What the mock and the service must report alike: the code and, of invalid fields, every error. */
function reported({ status, code, body }: Received): unknown {
  const { errors, detail } = body as Problem;
  return { status, code, errors, ...(errors && { detail }) };
}

const isImageType = (type: string): type is keyof typeof images => type in images;

describe.each(contractOperations)('$id', (operation) => {
  const own = items.filter((item) => item.operation === operation.id);
  const successes = own.filter(({ kind, status }) => kind === 'response' && status < 400);
  const problems = own.filter(({ kind, name }) => kind === 'problem code' && name !== 'idempotency_in_progress');

  test.each(successes)(`${operation.id} returns $status`, async ({ status }) => {
    const scenario = status === 304 ? notModified : success;
    expect(await scenario(await newContext(environment, operation))).toMatchObject({ status });
  });

  const lists = operation.parameters.some(({ name }) => name === 'cursor') ? successes : [];
  test.each(lists)(`${operation.id} returns $status with a page of a longer list`, async ({ status }) => {
    expect(await page(await newContext(environment, operation))).toMatchObject({ status, body: { has_more: true } });
  });

  const types = [...operation.contentTypes, ...own.filter(({ kind }) => kind === 'media type').map(({ name }) => name)];
  test.each([...new Set(types)].filter((type) => type.startsWith('image/')))(
    `${operation.id} accepts or returns %s`,
    async (type) => {
      if (!isImageType(type)) throw new Error(`Add an image of the type ${type}: test/fixtures/images.ts`);
      const { status } = await image(type)(await newContext(environment, operation));
      expect(status).toBe(successes[0]?.status);
    },
  );

  test.each(problems)(`${operation.id} returns $status $name`, async ({ status, name }) => {
    const scenario = refusals[name as ProblemCode];
    if (!scenario) throw new Error(`Add a request that returns ${name} to test/contract-coverage/scenarios.ts`);
    expect(await scenario(await newContext(environment, operation))).toMatchObject({ status, code: name });
  });
});

describe.concurrent('idempotency_in_progress', () => {
  const waiting = contractOperations.filter(({ id }) =>
    items.some(({ operation, name }) => operation === id && name === 'idempotency_in_progress'),
  );
  test.each(waiting)(
    '$id returns 409 idempotency_in_progress while the first request with the same key is running',
    async (operation) => {
      const received = await refusals.idempotency_in_progress?.(await newContext(environment, operation));
      expect(received).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
    },
  );
});

test('the service has returned everything that the contract documents', ({ task }) => {
  const { coverage, sender } = environment;
  expect(coverage.missing()).toEqual([]);
  const returned = sender.exchanges.flatMap(({ operation, received }) => [...fieldsOfResponse(operation.id, received)]);
  const fields = new Set(returned);
  expect([...documented].filter((field) => !fields.has(field))).toEqual([]);
  task.meta.measurements = {
    'documented fields returned by the service': `${fields.size} of ${documented.size}`,
    ...Object.fromEntries(kinds.map((kind) => [`documented ${kind}s returned by the service`, coverage.total(kind)])),
  };
});

describe.each(contractOperations)('the mock: $id', (operation) => {
  const preferenceFor = (status: number, code: string | undefined): string => {
    const examples = Object.values(operation.responses[status]?.content ?? {}).flatMap(({ examples = {} }) =>
      Object.entries(examples),
    );
    const [name] = examples.find(([, { value }]) => (value as { code?: string }).code === code) ?? [];
    return `code=${status}${code ? `, example=${name}` : ''}`;
  };

  test(`the mock returns the same status and code as the service for ${operation.id} with Prefer, and a valid response`, async () => {
    const exchanges = environment.sender.exchanges.filter((exchange) => exchange.operation === operation);
    expect(exchanges.length).toBeGreaterThan(0);
    for (const { sent, received } of exchanges) {
      const headers = { ...sent.headers, prefer: preferenceFor(received.status, received.code) };
      const mocked = await receive(await send(mock.url, operation, { ...sent, headers }));
      expect(mocked).toMatchObject({ status: received.status, code: received.code });
      expect(violations(operation, mocked)).toEqual([]);
    }
  });

  test(`the mock returns the same problem as the service for an invalid request of ${operation.id}`, async () => {
    for (const { sent, received } of environment.sender.exchanges.filter(
      (exchange) => exchange.operation === operation,
    )) {
      // Only the service knows the declared size of a file.
      const isInRequest =
        ofTheRequest.test(received.code ?? '') && !(sent.file?.type.startsWith('image/') && received.status === 413);
      if (isInRequest)
        expect(reported(await receive(await send(mock.url, operation, sent)))).toEqual(reported(received));
    }
  });
});
