import { transitions } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { OperationId } from '../harness/contract.ts';
import type { Status } from '../harness/journeys.ts';
import { bodySchema } from './parts.ts';
import { type About, images, type Made, validRequest } from './requests.ts';
import { type Answer, read, type Sent, send } from './send.ts';
import { count } from './tally.ts';
import { allowing, judge, type Verdict, verdictOn } from './verdict.ts';
import { learn, look, type Shipment, type Upload, type World } from './world.ts';

/** Sends a request, judges the answer, and learns from a success; whatever is refused or read must change nothing. */
export async function perform(
  world: World,
  kind: 'valid' | 'broken' | 'nonsense',
  sent: Sent,
  verdict: Verdict,
  shipment?: Shipment,
): Promise<Answer> {
  const answer = await send(world, sent);
  const { id, method } = sent.operation;
  judge(answer, verdict);
  count(world.tally, kind, id, answer.status);
  if (method === 'GET') return answer;
  const replayed = answer.headers.has('idempotent-replayed');
  if (answer.status < 300 && !replayed) await learn(world, id, shipment, answer);
  else
    expect(await look(world, shipment), 'nothing was changed').toEqual(
      shipment ? shipment.seen : world.shipments.at(-1)?.id,
    );
  return answer;
}

/** Sends a valid request about a shipment. */
export async function performValid(
  world: World,
  id: OperationId,
  shipment?: Shipment,
  more: About = {},
): Promise<{ made: Made; answer: Answer }> {
  const about = { shipment, ...(more.upload ? {} : await prepared(world, id, shipment)), ...more };
  const made = validRequest(world, id, about);
  const verdict = verdictOn(made.sent, shipment ?? { status: 'scheduled' }, world);
  const answer = await perform(world, 'valid', made.sent, verdict, shipment);
  if (id === 'getProofFile')
    expect(Buffer.from(answer.bytes).equals(about.upload?.file.bytes ?? Buffer.of())).toBe(true);
  return { made, answer };
}

/** A shipment that stands in a status, an earlier one or one that is brought there. */
export async function bring(world: World, status: Status): Promise<Shipment> {
  const there = world.shipments.findLast((shipment) => shipment.status === status);
  if (there) return there;
  const step = transitions.find(({ to }) => to === status);
  if (!step) throw new Error(`No step leads to ${status}`);
  if (step.from === null) {
    await performValid(world, step.operation, undefined);
    return bring(world, status);
  }
  const shipment = await bring(world, step.from);
  await performValid(world, step.operation, shipment, { allowed: true });
  if (shipment.status !== status)
    throw new Error(`${step.operation} left the shipment ${shipment.status} instead of ${status}`);
  return shipment;
}

/** Everything that a request needs beside its shipment, made first. */
export async function prepared(world: World, id: OperationId, shipment: Shipment | undefined): Promise<About> {
  if (!shipment) return {};
  return { ...(await found(world, id, shipment)), ...(await evidence(world, id, shipment)) };
}

/** What a request's path is about: a declared upload, or the URL of a file that is part of a proof. */
export async function found(world: World, id: OperationId, shipment: Shipment): Promise<About> {
  if (id === 'putProofFile') return { upload: await declare(world, shipment, 'signature') };
  if (id !== 'getProofFile') return {};
  const delivered = await bring(world, 'delivered');
  const { body } = await read(world, `/tracking/${delivered.tracking_number}/pod`);
  const { signature_url, photos } = body as components['schemas']['ProofOfDelivery'];
  const urls = [signature_url, ...photos];
  expect(urls).toHaveLength(delivered.proof.length);
  const which = world.draw(fc.nat(urls.length - 1));
  const upload = delivered.uploads.find((one) => one.id === delivered.proof[which]);
  return { upload, token: urls[which]?.split('/').at(-1) ?? '' };
}

/** Uploaded files for a proof, where the shipment can have one. */
async function evidence(world: World, id: OperationId, shipment: Shipment): Promise<About> {
  if (id !== 'submitProofOfDelivery' || !allowing(id).includes(shipment.status)) return {};
  const most = bodySchema(id)?.properties?.photos?.maxItems ?? 0;
  const some = { weight: 15, arbitrary: fc.option(fc.nat(2), { nil: null }) };
  const photos = world.draw<number | null>(fc.oneof(some, { weight: 1, arbitrary: fc.constant(most) }));
  const signature = (await store(world, shipment, 'signature')).id;
  if (photos === null) return { proof: { signature, photos: undefined } };
  const stored: string[] = [];
  while (stored.length < photos) stored.push((await store(world, shipment, 'photo')).id);
  return { proof: { signature, photos: stored } };
}

/** Declares a file of a shipment. */
export async function declare(world: World, shipment: Shipment, kind: Upload['kind']): Promise<Upload> {
  await performValid(world, 'createProofUpload', shipment, { image: { file: world.draw(images), kind } });
  return shipment.uploads.at(-1) as Upload;
}

/** Declares a file and uploads it. */
export async function store(world: World, shipment: Shipment, kind: Upload['kind']): Promise<Upload> {
  const upload = await declare(world, shipment, kind);
  await performValid(world, 'putProofFile', shipment, { upload });
  return upload;
}
