import fc from 'fast-check';
import { expect } from 'vitest';
import type { OperationId } from '../fixtures/contract.ts';
import { comparable } from '../idempotency/post.ts';
import { lists, nextPage } from './pages.ts';
import { schemaOf } from './parts.ts';
import { perform, prepared } from './perform.ts';
import { validRequest } from './requests.ts';
import { valid } from './schema.ts';
import type { Sent } from './send.ts';
import { refusal, verdictOn } from './verdict.ts';
import type { Shipment, World } from './world.ts';

/** Sends a valid request and then what its answer makes possible: the same once more, the next page, with its ETag. */
export async function performAgain(world: World, id: OperationId, shipment: Shipment | undefined): Promise<void> {
  if (lists.some(({ operation }) => operation === id)) return nextPage(world, id);
  const { sent } = validRequest(world, id, shipment, await prepared(world, id, shipment));
  if ('Idempotency-Key' in (schemaOf(id, 'headers').properties ?? {})) return replay(world, sent, shipment);
  const { 'If-None-Match': _, ...headers } = sent.headers;
  const plain = { ...sent, headers };
  const { status, headers: told } = await perform(world, plain, verdictOn(world, plain, shipment), shipment);
  const again = (more: Record<string, string>, expected: number) =>
    perform(world, { ...plain, headers: more }, { status: expected }, shipment);
  const etag = told.get('etag');
  if (!etag) return void (await again(headers, status));
  await again(
    { 'If-None-Match': world.draw(fc.constantFrom(etag, `W/${etag}`, '*', `"other", ${etag}`, `${etag},"other"`)) },
    304,
  );
  await again({ 'If-None-Match': '"other", W/"another"' }, status);
}

/** The same request under the same key has the same answer; another one with it, and what is taken, is refused. */
async function replay(world: World, made: Sent, shipment: Shipment | undefined): Promise<void> {
  const sent = { ...made, headers: { ...made.headers, 'Idempotency-Key': crypto.randomUUID() } };
  const first = await perform(world, sent, verdictOn(world, sent, shipment), shipment);
  const second = await perform(world, sent, { status: first.status }, shipment);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  const replayed = true;
  expect(comparable({ ...second, replayed }), 'a replay').toEqual(comparable({ ...first, replayed }));
  const others = valid(schemaOf(sent.operation.id, 'body'));
  const body = world.draw(others.filter((other) => JSON.stringify(other) !== JSON.stringify(sent.body)));
  await perform(world, { ...sent, body }, refusal(422, 'idempotency_key_reused'), shipment);
  if (sent.operation.id !== 'createShipment') return;
  const reference = world.draw(fc.constantFrom('PO-1', 'PO-2'));
  const taking: Sent = { ...made, headers: {}, body: { ...(sent.body as object), reference } };
  for (let time = 0; time < 2; time++) await perform(world, taking, verdictOn(world, taking));
}
