import { problems } from '@waybill/contract/problems';
import fc from 'fast-check';
import { expect } from 'vitest';
import { contractOperations, pathOf } from '../fixtures/contract.ts';
import { isLong, randomSeed } from '../fixtures/long-form.ts';
import { exchange, failuresIn, type RawResponse } from '../fixtures/raw-http.ts';
import { startService } from '../fixtures/service.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { last } from './cases.ts';

/** How many connections are tried. */
const count = isLong ? 3000 : 150;
const seed = randomSeed();
const parallel = 20;

/** A valid request of every operation, as bytes. */
const requests = (key: string): Buffer[] =>
  contractOperations.map((operation) => {
    const content = operation.body === undefined ? '' : JSON.stringify(operation.body);
    const lines = [
      `${operation.method} /v1${pathOf(operation)} HTTP/1.1`,
      'Host: waybill.test',
      `Authorization: Bearer ${key}`,
      ...(content ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`] : []),
    ];
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`);
  });

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const bytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 8 }).map((some) => Buffer.from(some)),
  fc
    .constantFrom('\r\n', '\n', '\0', ':', ' ', '9', '0', '\r\n\r\n', '\x80', '{', '"')
    .map((text) => Buffer.from(text, 'latin1')),
);

/** Replaces, inserts, removes or repeats some bytes of a request. */
const mutation = fc
  .record({ at: place, length: fc.nat(12), bytes, isRepeated: fc.boolean() })
  .map(({ at, length, bytes, isRepeated }) => (request: Buffer): Buffer => {
    const start = Math.floor(at * request.length);
    const removed = request.subarray(start, start + length);
    const inserted = isRepeated ? Buffer.concat([removed, removed]) : bytes;
    return Buffer.concat([request.subarray(0, start), inserted, request.subarray(start + length)]);
  });

const mutants = (originals: Buffer[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.array(fc.constantFrom(...originals), { minLength: 1, maxLength: 3 }),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
    )
    .map(([some, mutations]) => mutations.reduce<Buffer>((request, mutate) => mutate(request), Buffer.concat(some)));

function expectDocumented({ status, headers, body }: RawResponse): void {
  if (status < 400) return;
  expect(headers['content-type']).toBe('application/problem+json');
  const problem = JSON.parse(body);
  expect(Object.keys(problems)).toContain(problem.code);
  expect(problem).toMatchObject({ status, request_id: headers['x-request-id'] });
  expect(problem.code).not.toBe('internal_error');
}

test(`${count} connections with mutated requests get documented responses and end`, {
  timeout: 120_000 + count * 1000,
}, async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startService({ LOG_LEVEL: 'info', REQUEST_SECONDS: '2' }, log);
  const { key } = await newAccount(service);
  const mutated = fc.sample(mutants(requests(key)), { seed, numRuns: count });
  const next = mutated.entries();
  let responses = 0;
  const work = async (): Promise<void> => {
    for (const [index, request] of next) {
      try {
        const received = await exchange(service, Buffer.concat([request, Buffer.from(last)]));
        received.forEach(expectDocumented);
        expect(failuresIn(log)).toEqual([]);
        responses += received.length;
      } catch (error) {
        const sent = JSON.stringify(request.toString('latin1'));
        throw new Error(`WAYBILL_SEED=${seed}, connection ${index} of ${count}: ${sent}`, { cause: error });
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  console.info(`connections: seed ${seed}, ${responses} responses`);
  expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
});
