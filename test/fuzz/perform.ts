import { transitions } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { OperationId } from '../fixtures/contract.ts';
import { declarationOf, tokenOf } from '../fixtures/requests.ts';
import type { Status } from '../fixtures/shipments.ts';
import type { Environment, ImageFile, Shipment, Upload } from './environment.ts';
import { checkResponse, type Expected, expectedFor, nextBy, statusesAllowing } from './expected.ts';
import { fieldOf } from './parts.ts';
import { type Fixed, imageFiles, validRequest } from './requests.ts';
import { type Received, read, type Sent, send } from './send.ts';
import { readState, updateEnvironment } from './state.ts';

type Schemas = components['schemas'];

/** Sends a request, checks the response and stores a success; a refused request or a read must change nothing. */
export async function perform(
  environment: Environment,
  sent: Sent,
  expected: Expected,
  shipment?: Shipment,
): Promise<Received> {
  const received = await send(environment, sent);
  const { id, method } = sent.operation;
  checkResponse(received, expected);
  environment.tally.reached.add(`${id} ${received.status}`);
  if (method === 'GET') return received;
  if (received.status < 300 && !received.headers.has('idempotent-replayed'))
    await updateEnvironment(environment, shipment, received);
  else {
    const before = shipment ? shipment.seen : environment.shipments.at(-1)?.id;
    expect(await readState(environment, shipment), 'a refused request changes nothing').toEqual(before);
  }
  return received;
}

/** Sends a valid request about a shipment; only the shipment's status decides whether it succeeds. */
export async function performValid(
  environment: Environment,
  id: OperationId,
  shipment?: Shipment,
  fixed?: Fixed,
): Promise<void> {
  const { sent } = validRequest(environment, id, shipment, fixed ?? (await prepared(environment, id, shipment)));
  const received = await perform(environment, sent, expectedFor(environment, sent, shipment), shipment);
  if (id === 'getProofFile') expect(Buffer.from(received.bytes).equals(sent.file?.bytes ?? Buffer.of())).toBe(true);
  if (id === 'createShipment' && received.status === 201) {
    const { pickup_window: _, ...text } = sent.body as Schemas['ShipmentRequest'];
    expect(received.body, 'text is stored as sent').toMatchObject(text);
  }
}

/** A shipment in a status: an existing one, or one that is brought to it. */
export async function bringTo(environment: Environment, status: Status): Promise<Shipment> {
  // A shipment has at most 20 uploads that are not part of a proof.
  const hasRoom = ({ declared }: Shipment): boolean => declared <= 8 || !takesFiles(status);
  const there = environment.shipments.findLast((shipment) => shipment.status === status && hasRoom(shipment));
  if (there) return there;
  const step = transitions.find(({ to }) => to === status);
  if (!step) throw new Error(`No step leads to ${status}`);
  if (step.from === null) {
    await performValid(environment, step.operation);
    return bringTo(environment, status); // its reference may have been taken
  }
  const shipment = await bringTo(environment, step.from);
  await performValid(environment, step.operation, shipment);
  expect(shipment.status, `after ${step.operation}`).toBe(status);
  return shipment;
}

/** Creates what a request needs besides its shipment. */
export async function prepared(
  environment: Environment,
  id: OperationId,
  shipment: Shipment | undefined,
): Promise<Fixed> {
  if (!shipment) return {};
  if (id === 'submitProofOfDelivery' && statusesAllowing(id).includes(shipment.status))
    return uploadProofFiles(environment, shipment);
  return fitting(environment, id, shipment);
}

/** Fits a request to the state as far as that is cheap: a proof names nonexistent files. */
export async function fitting(environment: Environment, id: OperationId, shipment: Shipment): Promise<Fixed> {
  if (id === 'recordTrackingEvent') {
    const next = nextBy(id, shipment.status);
    return next.length > 0 ? { body: { status: environment.draw(fc.constantFrom(...next)) } } : {};
  }
  if (id === 'createProofUpload') {
    const file = environment.draw(fc.option(imageFiles, { nil: undefined }));
    return file ? declaring(file) : {};
  }
  if (id === 'putProofFile') return putting(await declare(environment, shipment, 'signature'));
  if (id !== 'getProofFile') return {};
  const { tracking_number, proof, uploads } = await bringTo(environment, 'delivered');
  const { signature_url, photos } = await read<Schemas['ProofOfDelivery']>(
    environment,
    `/tracking/${tracking_number}/pod`,
  );
  const urls = [signature_url, ...photos];
  expect(urls).toHaveLength(proof.length);
  const which = environment.draw(fc.nat(urls.length - 1));
  const file = uploads.find((upload) => upload.id === proof[which])?.file;
  return { path: { file_token: tokenOf(urls[which] ?? '') }, file };
}

function declaring(file: ImageFile, kind?: Schemas['FileKind']): Fixed {
  const { kind: _, ...declared } = declarationOf(file.bytes);
  return { body: { ...declared, content_type: file.contentType, ...(kind && { kind }) }, file };
}

const putting = ({ token, file }: Upload): Fixed => ({ path: { upload_token: token }, file });

/** Uploads files for a proof. */
async function uploadProofFiles(environment: Environment, shipment: Shipment): Promise<Fixed> {
  const most = fieldOf('submitProofOfDelivery', 'body', 'photos').maxItems ?? 0;
  const some = { weight: 15, arbitrary: fc.option(fc.nat(2), { nil: undefined }) };
  const count = environment.draw(fc.oneof(some, { weight: 1, arbitrary: fc.constant(most) }));
  const signature = (await store(environment, shipment, 'signature')).id;
  const photos: string[] = [];
  while (photos.length < (count ?? 0)) photos.push((await store(environment, shipment, 'photo')).id);
  return { body: { signature, photos: count === undefined ? undefined : photos } };
}

const takesFiles = (status: Status): boolean => statusesAllowing('createProofUpload').includes(status);

/** Declares a file of a shipment, or of another if this one accepts none. */
async function declare(environment: Environment, about: Shipment, kind: Schemas['FileKind']): Promise<Upload> {
  const shipment = takesFiles(about.status) ? about : await bringTo(environment, 'scheduled');
  await performValid(environment, 'createProofUpload', shipment, declaring(environment.draw(imageFiles), kind));
  return shipment.uploads.at(-1) as Upload;
}

/** Declares a file and uploads it. */
async function store(environment: Environment, shipment: Shipment, kind: Schemas['FileKind']): Promise<Upload> {
  const upload = await declare(environment, shipment, kind);
  await performValid(environment, 'putProofFile', shipment, putting(upload));
  return upload;
}
