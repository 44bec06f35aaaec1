import fc from 'fast-check';
import { expect } from 'vitest';
import type { OperationId } from '../fixtures/contract.ts';
import { comparable } from '../idempotency/post.ts';
import type { Environment, Shipment } from './environment.ts';
import { expectedFor, refusal } from './expected.ts';
import { lists, nextPage } from './pages.ts';
import { schemaOf } from './parts.ts';
import { perform, prepared } from './perform.ts';
import { validRequest } from './requests.ts';
import type { Sent } from './send.ts';
import { valid } from './valid-values.ts';

/** Sends a valid request and then what its response allows: a repeat, the next page or a conditional read. */
export async function performRepeat(
  environment: Environment,
  id: OperationId,
  shipment: Shipment | undefined,
): Promise<void> {
  if (lists.some(({ operation }) => operation === id)) return nextPage(environment, id);
  const { sent } = validRequest(environment, id, shipment, await prepared(environment, id, shipment));
  if ('Idempotency-Key' in (schemaOf(id, 'headers').properties ?? {})) return replay(environment, sent, shipment);
  const { 'If-None-Match': _, ...headers } = sent.headers;
  const plain = { ...sent, headers };
  const { status, headers: first } = await perform(
    environment,
    plain,
    expectedFor(environment, plain, shipment),
    shipment,
  );
  const again = (more: Record<string, string>, expected: number) =>
    perform(environment, { ...plain, headers: more }, { status: expected }, shipment);
  const etag = first.get('etag');
  if (!etag) return void (await again(headers, status));
  await again(
    {
      'If-None-Match': environment.draw(fc.constantFrom(etag, `W/${etag}`, '*', `"other", ${etag}`, `${etag},"other"`)),
    },
    304,
  );
  await again({ 'If-None-Match': '"other", W/"another"' }, status);
}

/** Repeats a request with its key, then sends another one with that key and a taken reference. */
async function replay(environment: Environment, made: Sent, shipment: Shipment | undefined): Promise<void> {
  const sent = { ...made, headers: { ...made.headers, 'Idempotency-Key': crypto.randomUUID() } };
  const first = await perform(environment, sent, expectedFor(environment, sent, shipment), shipment);
  const second = await perform(environment, sent, { status: first.status }, shipment);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  const replayed = true;
  expect(comparable({ ...second, replayed }), 'a replay').toEqual(comparable({ ...first, replayed }));
  const others = valid(schemaOf(sent.operation.id, 'body'));
  const body = environment.draw(others.filter((other) => JSON.stringify(other) !== JSON.stringify(sent.body)));
  await perform(environment, { ...sent, body }, refusal(422, 'idempotency_key_reused'), shipment);
  if (sent.operation.id !== 'createShipment') return;
  const reference = environment.draw(fc.constantFrom('PO-1', 'PO-2'));
  const taking: Sent = { ...made, headers: {}, body: { ...(sent.body as object), reference } };
  for (let time = 0; time < 2; time++) await perform(environment, taking, expectedFor(environment, taking));
}
