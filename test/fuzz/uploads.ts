import type { components } from '@waybill/contract/types';
import fc from 'fast-check';
import type { RequestBreak } from './broken.ts';
import type { Environment, ImageFile, Shipment, Upload } from './environment.ts';
import { type Expected, invalidField, refusal } from './expected.ts';
import { fieldOf } from './parts.ts';
import { bringTo, declare, prepared, putting, store } from './perform.ts';
import { imageFiles, imageTypes, validRequest } from './requests.ts';
import type { Sent } from './send.ts';
import { valid } from './valid-values.ts';

const submit = 'submitProofOfDelivery';

/** A proof with a well-formed upload id that it cannot have. */
const proofBreak = (
  field: 'signature' | 'photos',
  what: string,
  idOf: (environment: Environment, shipment: Shipment) => Promise<string>,
): RequestBreak => ({
  operation: submit,
  name: `${submit} body /${field} ${what}`,
  needs: 'delivered',
  broken: async (environment, shipment) => {
    const id = await idOf(environment, shipment);
    const { sent } = validRequest(environment, submit, shipment, await prepared(environment, submit, shipment));
    const proof = sent.body as components['schemas']['ProofOfDeliveryRequest'];
    const photos = [...(proof.photos ?? []).slice(1), id];
    const body = { ...proof, ...(field === 'photos' ? { photos } : { signature: id }) };
    const pointer = field === 'photos' ? `/photos/${photos.length - 1}` : '/signature';
    return { sent: { ...sent, body }, expected: invalidField('body', pointer, 'unknown_upload', 'unknown_upload') };
  },
});

/** Bytes that differ from the declaration. */
const putBreak = (
  what: string,
  expected: Expected,
  declared: (environment: Environment, shipment: Shipment) => Promise<Upload>,
  corrupt: (file: ImageFile, environment: Environment) => Partial<ImageFile>,
): RequestBreak => ({
  operation: 'putProofFile',
  name: `putProofFile body ${what}`,
  broken: async (environment, shipment) => {
    const upload = await declared(environment, shipment);
    const { sent } = validRequest(environment, 'putProofFile', shipment, putting(upload));
    const file: Sent['file'] = { ...upload.file, ...corrupt(upload.file, environment) };
    return { sent: { ...sent, file }, expected };
  },
});

const unknown = async ({ draw }: Environment) => draw(valid(fieldOf(submit, 'body', 'signature'))) as string;
const photo = (environment: Environment, shipment: Shipment) => declare(environment, shipment, 'photo');
const otherLastByte = ({ bytes }: ImageFile) => ({ bytes: bytes.with(-1, 255 - (bytes.at(-1) ?? 0)) });
const otherType = ({ contentType }: ImageFile) =>
  fc.constantFrom<string[]>(...imageTypes.filter((type) => type !== contentType));
const mismatch = invalidField('body', '', 'mismatch', 'file_mismatch');

/** Invalid uploads that no schema describes. */
export const uploadBreaks: RequestBreak[] = [
  proofBreak('photos', 'that is unknown', unknown),
  proofBreak('signature', 'that is unknown', unknown),
  proofBreak('signature', 'whose file has not arrived', async (environment, shipment) => {
    return (await declare(environment, shipment, 'signature')).id;
  }),
  proofBreak(
    'signature',
    'of another kind',
    async (environment, shipment) => (await store(environment, shipment, 'photo')).id,
  ),
  proofBreak('signature', 'of another shipment', async (environment) => {
    return (await store(environment, await bringTo(environment, 'scheduled'), 'signature')).id;
  }),
  proofBreak(
    'signature',
    'of a proof',
    async (environment) => (await bringTo(environment, 'delivered')).proof[0] ?? '',
  ),
  putBreak('too short', mismatch, photo, ({ bytes }) => ({ bytes: bytes.slice(0, -1) })),
  putBreak('that are none', mismatch, photo, () => ({ bytes: new Uint8Array() })),
  putBreak('with another last byte', mismatch, photo, otherLastByte),
  putBreak(
    'that are not the declared type',
    mismatch,
    (environment, shipment) => {
      const file = environment.draw(imageFiles);
      return declare(environment, shipment, 'photo', { ...file, contentType: environment.draw(otherType(file)) });
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
    (environment, shipment) => store(environment, shipment, 'photo'),
    otherLastByte,
  ),
];
