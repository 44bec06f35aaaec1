import type { components } from '@waybill/contract/types';
import fc from 'fast-check';
import type { RequestBreak } from './broken.ts';
import { fieldOf } from './parts.ts';
import { bring, declare, prepared, putting, store } from './perform.ts';
import { type ImageFile, imageFiles, imageTypes, validRequest } from './requests.ts';
import { valid } from './schema.ts';
import type { Sent } from './send.ts';
import { faulty, refusal, type Verdict } from './verdict.ts';
import type { Shipment, Upload, World } from './world.ts';

const submit = 'submitProofOfDelivery';

/** A proof with an upload that cannot be part of it, although it looks like one. */
const proofBreak = (
  field: 'signature' | 'photos',
  what: string,
  idOf: (world: World, shipment: Shipment) => Promise<string>,
): RequestBreak => ({
  operation: submit,
  name: `${submit} body /${field} ${what}`,
  needs: 'delivered',
  broken: async (world, shipment) => {
    const id = await idOf(world, shipment);
    const { sent } = validRequest(world, submit, shipment, await prepared(world, submit, shipment));
    const proof = sent.body as components['schemas']['ProofOfDeliveryRequest'];
    const photos = [...(proof.photos ?? []).slice(1), id];
    const body = { ...proof, ...(field === 'photos' ? { photos } : { signature: id }) };
    const pointer = field === 'photos' ? `/photos/${photos.length - 1}` : '/signature';
    return { sent: { ...sent, body }, verdict: faulty('body', pointer, 'unknown_upload', 'unknown_upload') };
  },
});

/** Bytes that are not what was declared. */
const putBreak = (
  what: string,
  verdict: Verdict,
  declared: (world: World, shipment: Shipment) => Promise<Upload>,
  spoil: (file: ImageFile, world: World) => Partial<ImageFile>,
): RequestBreak => ({
  operation: 'putProofFile',
  name: `putProofFile body ${what}`,
  broken: async (world, shipment) => {
    const upload = await declared(world, shipment);
    const { sent } = validRequest(world, 'putProofFile', shipment, putting(upload));
    const file: Sent['file'] = { ...upload.file, ...spoil(upload.file, world) };
    return { sent: { ...sent, file }, verdict };
  },
});

const unknown = async ({ draw }: World) => draw(valid(fieldOf(submit, 'body', 'signature'))) as string;
const photo = (world: World, shipment: Shipment) => declare(world, shipment, 'photo');
const otherLastByte = ({ bytes }: ImageFile) => ({ bytes: bytes.with(-1, 255 - (bytes.at(-1) ?? 0)) });
const otherType = ({ contentType }: ImageFile) =>
  fc.constantFrom<string[]>(...imageTypes.filter((type) => type !== contentType));
const mismatch = faulty('body', '', 'mismatch', 'file_mismatch');

/** What goes wrong with files beside their schemas. */
export const uploadBreaks: RequestBreak[] = [
  proofBreak('photos', 'that is unknown', unknown),
  proofBreak('signature', 'that is unknown', unknown),
  proofBreak('signature', 'whose file has not arrived', async (world, shipment) => {
    return (await declare(world, shipment, 'signature')).id;
  }),
  proofBreak('signature', 'of another kind', async (world, shipment) => (await store(world, shipment, 'photo')).id),
  proofBreak('signature', 'of another shipment', async (world) => {
    return (await store(world, await bring(world, 'scheduled'), 'signature')).id;
  }),
  proofBreak('signature', 'of a proof', async (world) => (await bring(world, 'delivered')).proof[0] ?? ''),
  putBreak('too short', mismatch, photo, ({ bytes }) => ({ bytes: bytes.slice(0, -1) })),
  putBreak('that are none', mismatch, photo, () => ({ bytes: new Uint8Array() })),
  putBreak('with another last byte', mismatch, photo, otherLastByte),
  putBreak(
    'that are not the declared type',
    mismatch,
    (world, shipment) => {
      const file = world.draw(imageFiles);
      return declare(world, shipment, 'photo', { ...file, contentType: world.draw(otherType(file)) });
    },
    () => ({}),
  ),
  putBreak('too long', refusal(413, 'payload_too_large'), photo, ({ bytes }) => ({
    bytes: Uint8Array.from([...bytes, 0]),
  })),
  putBreak('sent as another type', refusal(415, 'unsupported_media_type'), photo, (file, { draw }) => ({
    contentType: draw(fc.oneof(otherType(file), fc.constantFrom('text/plain', 'application/json'))),
  })),
  putBreak(
    'other than what is stored',
    refusal(409, 'file_conflict'),
    (world, shipment) => store(world, shipment, 'photo'),
    otherLastByte,
  ),
];
