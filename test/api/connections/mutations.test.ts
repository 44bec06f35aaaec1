import { problems } from '@waybill/contract/problems';
import fc from 'fast-check';
import { expect } from 'vitest';
import { contractOperations, pathOf } from '../../fixtures/contract/contract.ts';
import { isLong, randomSeed } from '../../fixtures/long-form.ts';
import { exchange, failuresIn, type RawResponse } from '../../fixtures/requests/raw-http.ts';
import { startService } from '../../fixtures/service/service.ts';
import { inTransit } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';
import { last } from './cases.ts';

/** How many connections are tried. */
const count = isLong ? 3000 : 150;
const seed = randomSeed();
const parallel = 20;

/** A request as bytes. */
function requestOf(key: string, line: string, content: Buffer, type = 'application/json'): Buffer {
  const headers = ['Host: waybill.test', `Authorization: Bearer ${key}`];
  if (content.length > 0) headers.push(`Content-Type: ${type}`, `Content-Length: ${content.length}`);
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`, 'latin1'), content]);
}

/** A valid request of every operation. */
const requests = (key: string): Buffer[] =>
  contractOperations.map((operation) => {
    const content = Buffer.from(JSON.stringify(operation.body) ?? '');
    return requestOf(key, `${operation.method} /v1${pathOf(operation)}`, content);
  });

const oneOf = (words: string) => fc.constantFrom(...words.split(' '));
const bytesOf = (maxLength: number) => fc.uint8Array({ maxLength }).map((some) => Buffer.from(some));
const segment = fc.oneof(
  oneOf('shipments tracking uploads files pod events cancel %00 % .. __proto__ * ; //'),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text)),
  fc.webFragments(),
);
const query = fc.oneof(
  oneOf('? ?%zz ?&&==& ?a[b]=c&a[]=d ?limit=1&limit ?%00=%ff'),
  fc.webQueryParameters().map((text) => `?${text}`),
);
const content = fc.oneof(
  bytesOf(200),
  fc.json().map((text) => Buffer.from(text)),
  fc.jsonValue().map((value) => Buffer.from(JSON.stringify({ reason: value, status: value, positions: value }))),
);
const type = oneOf('application/json image/png text/plain ; application/json;charset=utf-16');

/** A request without regard to the contract, half of them to the paths of a shipment. */
function randomRequest(key: string, values: Record<string, string>): fc.Arbitrary<Buffer> {
  const path = fc.oneof(
    fc.array(segment, { maxLength: 5 }).map((segments) => segments.map((one) => `/${one}`).join('')),
    fc.constantFrom(...contractOperations.map((operation) => pathOf(operation, values))),
  );
  return fc
    .tuple(oneOf('GET POST PUT DELETE PATCH OPTIONS'), path, query, content, type)
    .map(([method, path, query, content, type]) => requestOf(key, `${method} /v1${path}${query}`, content, type));
}

const separators = ['\r\n', '\n', '\0', ':', ' ', '9', '0', '\r\n\r\n', '\x80', '{', '"'];
const bytes = fc.oneof(bytesOf(8), fc.constantFrom(...separators.map((text) => Buffer.from(text, 'latin1'))));
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** Replaces, inserts, removes or repeats some bytes of a request. */
const mutation = fc
  .record({ at: place, length: fc.nat(12), bytes, isRepeated: fc.boolean() })
  .map(({ at, length, bytes, isRepeated }) => (request: Buffer): Buffer => {
    const start = Math.floor(at * request.length);
    const removed = request.subarray(start, start + length);
    const inserted = isRepeated ? [removed, removed] : [bytes];
    return Buffer.concat([request.subarray(0, start), ...inserted, request.subarray(start + length)]);
  });

const mutants = (request: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(fc.array(request, { minLength: 1, maxLength: 3 }), fc.array(mutation, { minLength: 1, maxLength: 4 }))
    .map(([some, mutations]) => mutations.reduce<Buffer>((request, mutate) => mutate(request), Buffer.concat(some)));

function expectDocumented({ status, headers, body }: RawResponse): void {
  if (status < 400) return;
  expect(headers['content-type']).toBe('application/problem+json');
  const problem = JSON.parse(body);
  expect(Object.keys(problems)).toContain(problem.code);
  expect(problem).toMatchObject({ status, request_id: headers['x-request-id'] });
  expect(problem.code).not.toBe('internal_error');
}

test(`${2 * count} connections with mutated or random requests get documented responses and end`, {
  timeout: 120_000 + count * 1000,
}, async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startService({ LOG_LEVEL: 'info', REQUEST_SECONDS: '2' }, log);
  const account = await newAccount(service);
  const { id: shipment_id, tracking_number } = await inTransit(account);
  const random = randomRequest(account.key, { shipment_id, tracking_number });
  // Half of them are random, and as they are.
  const mutated = fc.sample(mutants(fc.constantFrom(...requests(account.key))), { seed, numRuns: count });
  const next = [...mutated, ...fc.sample(random, { seed, numRuns: count })].entries();
  const work = async (): Promise<void> => {
    for (const [index, request] of next) {
      try {
        const received = await exchange(service, Buffer.concat([request, Buffer.from(last)]));
        received.forEach(expectDocumented);
        expect(failuresIn(log)).toEqual([]);
      } catch (error) {
        const sent = JSON.stringify(request.toString('latin1'));
        throw new Error(`WAYBILL_SEED=${seed}, connection ${index} of ${2 * count}: ${sent}`, { cause: error });
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
});
