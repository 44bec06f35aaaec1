import { transitions } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { OperationId } from '../fixtures/contract.ts';
import { declarationOf, tokenOf } from '../fixtures/requests.ts';
import type { Status } from '../fixtures/shipments.ts';
import { fieldOf } from './parts.ts';
import { type Fixed, type ImageFile, imageFiles, validRequest } from './requests.ts';
import { type Answer, read, type Sent, send } from './send.ts';
import { allowing, judge, nextBy, type Verdict, verdictOn } from './verdict.ts';
import { learn, look, type Shipment, type Upload, type World } from './world.ts';

type Schemas = components['schemas'];

/** Sends a request, judges the answer, and learns from a success; whatever is refused or read must change nothing. */
export async function perform(world: World, sent: Sent, verdict: Verdict, shipment?: Shipment): Promise<Answer> {
  const answer = await send(world, sent);
  const { id, method } = sent.operation;
  judge(answer, verdict);
  world.tally.reached.add(`${id} ${answer.status}`);
  if (method === 'GET') return answer;
  if (answer.status < 300 && !answer.headers.has('idempotent-replayed')) await learn(world, shipment, answer);
  else {
    const before = shipment ? shipment.seen : world.shipments.at(-1)?.id;
    expect(await look(world, shipment), 'nothing was changed').toEqual(before);
  }
  return answer;
}

/** Sends a valid request about a shipment: whether it succeeds depends only on where the shipment stands. */
export async function performValid(world: World, id: OperationId, shipment?: Shipment, fixed?: Fixed): Promise<void> {
  const { sent } = validRequest(world, id, shipment, fixed ?? (await prepared(world, id, shipment)));
  const answer = await perform(world, sent, verdictOn(world, sent, shipment), shipment);
  if (id === 'getProofFile') expect(Buffer.from(answer.bytes).equals(sent.file?.bytes ?? Buffer.of())).toBe(true);
  if (id === 'createShipment' && answer.status === 201) {
    const { pickup_window: _, ...told } = sent.body as Schemas['ShipmentRequest'];
    expect(answer.body, 'text is kept as it was sent').toMatchObject(told);
  }
}

/** A shipment that stands in a status, an earlier one or one that is brought there. */
export async function bring(world: World, status: Status): Promise<Shipment> {
  // One that has room for the files of a proof: a shipment has at most 20 that are not part of one.
  const hasRoom = ({ declared }: Shipment): boolean => declared <= 8 || !takesFiles(status);
  const there = world.shipments.findLast((shipment) => shipment.status === status && hasRoom(shipment));
  if (there) return there;
  const step = transitions.find(({ to }) => to === status);
  if (!step) throw new Error(`No step leads to ${status}`);
  if (step.from === null) {
    await performValid(world, step.operation);
    return bring(world, status); // its reference may have been taken
  }
  const shipment = await bring(world, step.from);
  await performValid(world, step.operation, shipment);
  expect(shipment.status, `after ${step.operation}`).toBe(status);
  return shipment;
}

/** Everything that a request needs beside its shipment, made first. */
export async function prepared(world: World, id: OperationId, shipment: Shipment | undefined): Promise<Fixed> {
  if (!shipment) return {};
  if (id === 'submitProofOfDelivery' && allowing(id).includes(shipment.status)) return evidence(world, shipment);
  return fitting(world, id, shipment);
}

/** What makes a request fit the state of things, as far as it is cheap: proofs name files that there are not. */
export async function fitting(world: World, id: OperationId, shipment: Shipment): Promise<Fixed> {
  if (id === 'recordTrackingEvent') {
    const next = nextBy(id, shipment.status);
    return next.length > 0 ? { body: { status: world.draw(fc.constantFrom(...next)) } } : {};
  }
  if (id === 'createProofUpload') {
    const file = world.draw(fc.option(imageFiles, { nil: undefined }));
    return file ? declaring(file) : {};
  }
  if (id === 'putProofFile') return putting(await declare(world, shipment, 'signature'));
  if (id !== 'getProofFile') return {};
  const { tracking_number, proof, uploads } = await bring(world, 'delivered');
  const { signature_url, photos } = await read<Schemas['ProofOfDelivery']>(world, `/tracking/${tracking_number}/pod`);
  const urls = [signature_url, ...photos];
  expect(urls).toHaveLength(proof.length);
  const which = world.draw(fc.nat(urls.length - 1));
  const file = uploads.find((upload) => upload.id === proof[which])?.file;
  return { path: { file_token: tokenOf(urls[which] ?? '') }, file };
}

function declaring(file: ImageFile, kind?: Schemas['FileKind']): Fixed {
  const { kind: _, ...declared } = declarationOf(file.bytes);
  return { body: { ...declared, content_type: file.contentType, ...(kind && { kind }) }, file };
}

export const putting = ({ token, file }: Upload): Fixed => ({ path: { upload_token: token }, file });

/** Uploads files for a proof. */
async function evidence(world: World, shipment: Shipment): Promise<Fixed> {
  const most = fieldOf('submitProofOfDelivery', 'body', 'photos').maxItems ?? 0;
  const some = { weight: 15, arbitrary: fc.option(fc.nat(2), { nil: undefined }) };
  const count = world.draw(fc.oneof(some, { weight: 1, arbitrary: fc.constant(most) }));
  const signature = (await store(world, shipment, 'signature')).id;
  const photos: string[] = [];
  while (photos.length < (count ?? 0)) photos.push((await store(world, shipment, 'photo')).id);
  return { body: { signature, photos: count === undefined ? undefined : photos } };
}

const takesFiles = (status: Status): boolean => allowing('createProofUpload').includes(status);

/** Declares a file of a shipment, or of another when this one takes none any more. */
export async function declare(
  world: World,
  about: Shipment,
  kind: Schemas['FileKind'],
  file = world.draw(imageFiles),
): Promise<Upload> {
  const shipment = takesFiles(about.status) ? about : await bring(world, 'scheduled');
  await performValid(world, 'createProofUpload', shipment, declaring(file, kind));
  return shipment.uploads.at(-1) as Upload;
}

/** Declares a file and uploads it. */
export async function store(world: World, shipment: Shipment, kind: Schemas['FileKind']): Promise<Upload> {
  const upload = await declare(world, shipment, kind);
  await performValid(world, 'putProofFile', shipment, putting(upload));
  return upload;
}
