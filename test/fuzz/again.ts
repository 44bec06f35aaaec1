import fc from 'fast-check';
import { expect } from 'vitest';
import type { OperationId } from '../harness/contract.ts';
import { comparable } from '../idempotency/post.ts';
import { firstPage, lists } from './pages.ts';
import { bodySchema, partOf } from './parts.ts';
import { perform, performValid, prepared } from './perform.ts';
import { validRequest } from './requests.ts';
import { valid } from './schema.ts';
import type { Answer, Sent } from './send.ts';
import { refusal, successOf, verdictOn } from './verdict.ts';
import type { Shipment, World } from './world.ts';

/** Sends a valid request and then what its answer makes possible: the same once more, the next page, with its ETag. */
export async function performAgain(world: World, id: OperationId, shipment: Shipment | undefined): Promise<void> {
  if (lists.some(({ operation }) => operation === id)) return nextPage(world, id);
  const about = { shipment, ...(await prepared(world, id, shipment)) };
  const { sent } = validRequest(world, id, about);
  if ('Idempotency-Key' in (partOf(id, 'header').properties ?? {})) return replay(world, sent, shipment);
  const { 'If-None-Match': _, ...headers } = sent.headers;
  const plain = { ...sent, headers };
  const answer = await perform(
    world,
    'valid',
    plain,
    verdictOn(plain, shipment ?? { status: 'scheduled' }, world),
    shipment,
  );
  const etag = answer.headers.get('etag');
  if (!etag) return void (await perform(world, 'valid', plain, { status: answer.status }, shipment));
  const matching = world.draw(fc.constantFrom(etag, `W/${etag}`, '*', `"other", ${etag}`, `${etag},"other"`));
  await perform(world, 'valid', { ...plain, headers: { 'If-None-Match': matching } }, { status: 304 });
  await perform(
    world,
    'valid',
    { ...plain, headers: { 'If-None-Match': '"other", W/"another"' } },
    { status: answer.status },
  );
}

async function nextPage(world: World, id: OperationId): Promise<void> {
  const { sent, cursor } = await firstPage(world, id);
  const limit = world.draw(valid(partOf(id, 'query').properties?.limit ?? {}));
  await perform(world, 'valid', { ...sent, query: { limit, cursor } }, { status: successOf(sent.operation) });
}

/** The same request under the same key has the same answer; another one with it, and what is taken, is refused. */
async function replay(world: World, made: Sent, shipment: Shipment | undefined): Promise<void> {
  const key = crypto.randomUUID();
  const sent = { ...made, headers: { ...made.headers, 'Idempotency-Key': key } };
  const first = await perform(
    world,
    'valid',
    sent,
    verdictOn(sent, shipment ?? { status: 'scheduled' }, world),
    shipment,
  );
  const second = await perform(world, 'valid', sent, { status: first.status }, shipment);
  expect(comparable(posted(second)), 'a replay').toEqual(comparable(posted(first)));
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  const body = world.draw(
    valid(bodySchema(sent.operation.id) ?? {}).filter((other) => JSON.stringify(other) !== JSON.stringify(sent.body)),
  );
  await perform(world, 'valid', { ...sent, body }, refusal(422, 'idempotency_key_reused'), shipment);
  if (sent.operation.id !== 'createShipment') return;
  const reference = world.draw(fc.constantFrom('PO-1', 'PO-2'));
  for (let time = 0; time < 2; time++) {
    const taking: Sent = { ...made, headers: {}, body: { ...(sent.body as object), reference } };
    await perform(world, 'valid', taking, verdictOn(taking, { status: 'scheduled' }, world));
  }
}

const posted = ({ status, headers, body }: Answer) => ({
  status,
  headers,
  body,
  replayed: headers.has('idempotent-replayed'),
});

/** Sends a valid request about what there is not: 404. Operations without a path of their own are sent as they are. */
export async function performUnknown(world: World, id: OperationId): Promise<void> {
  const { sent } = validRequest(world, id, {});
  const unknown = Object.keys(sent.path).length > 0;
  if (!unknown) return void (await performValid(world, id));
  await perform(world, 'valid', sent, refusal(404, 'not_found'), world.shipments.at(-1));
}
