import fc from 'fast-check';
import { expect } from 'vitest';
import { contractOperations, pathOf } from '../fixtures/contract.ts';
import { problemOf } from '../fixtures/http.ts';
import { isLong, randomSeed } from '../fixtures/long-form.ts';
import { inTransit } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

const oneOf = (words: string) => fc.constantFrom(...words.split(' '));
const segment = fc.oneof(
  oneOf('shipments tracking uploads files pod events cancel %00 % .. __proto__ * ; //'),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text)),
  fc.webFragments(),
);
const query = fc.oneof(
  oneOf('? ?%zz ?&&==& ?a[b]=c&a[]=d ?limit=1&limit ?%00=%ff'),
  fc.webQueryParameters().map((text) => `?${text}`),
);
const json = fc.oneof(
  fc.json(),
  fc.jsonValue().map((value) => JSON.stringify({ reason: value, status: value, positions: value })),
);

/** Requests without regard to the contract, half of them to these paths. */
const randomRequest = (paths: string[]) =>
  fc.record({
    method: oneOf('GET POST PUT DELETE PATCH OPTIONS'),
    path: fc.oneof(
      fc.array(segment, { maxLength: 5 }).map((segments) => segments.map((one) => `/${one}`).join('')),
      fc.constantFrom(...paths),
    ),
    query,
    contentType: fc.oneof(
      oneOf('application/json image/png text/plain ; application/x-www-form-urlencoded'),
      fc.constantFrom('application/json; charset=utf-16', undefined),
    ),
    bytes: fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      json.map((text) => Buffer.from(text)),
    ),
  });

test('random requests return no server error, and every error is a problem', { timeout: 600_000 }, async ({
  service,
  account,
}) => {
  const { id: shipment_id, tracking_number } = await inTransit(account);
  const paths = contractOperations.map((operation) => pathOf(operation, { shipment_id, tracking_number }));
  const property = fc.asyncProperty(randomRequest(paths), async ({ method, path, query, contentType, bytes }) => {
    const response = await fetch(`${service.baseUrl}${path}${query}`, {
      method,
      headers: {
        authorization: `Bearer ${account.key}`,
        ...(contentType !== undefined && { 'content-type': contentType }),
      },
      ...(method !== 'GET' && bytes.length > 0 && { body: Uint8Array.from(bytes) }),
    });
    expect(response.status).toBeLessThan(500);
    if (response.status >= 400) await problemOf(response);
    else await response.body?.cancel();
  });
  await fc.assert(property, { numRuns: isLong ? 4000 : 200, seed: randomSeed() });
});
