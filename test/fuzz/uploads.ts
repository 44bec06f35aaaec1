import type { components } from '@waybill/contract/types';
import fc from 'fast-check';
import type { RequestBreak } from './broken.ts';
import { imageFile } from './files.ts';
import { bodySchema, contentTypes } from './parts.ts';
import { bring, declare, prepared, store } from './perform.ts';
import { validRequest } from './requests.ts';
import { valid } from './schema.ts';
import { refusal } from './verdict.ts';
import type { Shipment, World } from './world.ts';

type Proof = components['schemas']['ProofOfDeliveryRequest'];
type Bytes = Uint8Array<ArrayBuffer>;

/** Uploads that cannot be part of a shipment's proof, although they look like it. */
const unusable: Record<string, (world: World, shipment: Shipment) => Promise<string>> = {
  'that is unknown': async ({ draw }) =>
    draw(valid(bodySchema('submitProofOfDelivery')?.properties?.signature ?? {})) as string,
  'whose file has not arrived': async (world, shipment) => (await declare(world, shipment, 'signature')).id,
  'of another kind': async (world, shipment) => (await store(world, shipment, 'photo')).id,
  'of another shipment': async (world) => (await store(world, await bring(world, 'scheduled'), 'signature')).id,
  'of a proof': async (world) => (await bring(world, 'delivered')).proof[0] ?? '',
};

const proofBreaks: RequestBreak[] = Object.entries(unusable).flatMap(([what, idOf]) =>
  (['signature', 'photos'] as const).flatMap((field): RequestBreak[] => {
    if (field === 'photos' && what !== 'that is unknown') return [];
    return [
      {
        operation: 'submitProofOfDelivery',
        name: `submitProofOfDelivery body /${field} ${what}`,
        needs: 'delivered',
        broken: async (world, shipment) => {
          const id = await idOf(world, shipment);
          const { sent } = validRequest(world, 'submitProofOfDelivery', {
            shipment,
            ...(await prepared(world, 'submitProofOfDelivery', shipment)),
          });
          const proof = sent.body as Proof;
          const photos = [...(proof.photos ?? []).slice(1), id];
          const pointer = field === 'photos' ? `/photos/${photos.length - 1}` : '/signature';
          const body = { ...proof, ...(field === 'photos' ? { photos } : { signature: id }) };
          const verdict = {
            ...refusal(400, 'unknown_upload'),
            fault: { in: 'body', pointer, code: 'unknown_upload' },
          } as const;
          return { sent: { ...sent, body }, verdict };
        },
      },
    ];
  }),
);

const another = (type: string, { draw }: World): string =>
  draw(fc.constantFrom(...contentTypes('putProofFile').filter((other) => other !== type)));
const mismatch = { ...refusal(400, 'file_mismatch'), fault: { in: 'body', pointer: '', code: 'mismatch' } } as const;
/** Bytes that are not what was declared. */
const spoilt: Record<
  string,
  { spoil: (bytes: Bytes, type: string, world: World) => Bytes; verdict: typeof mismatch | ReturnType<typeof refusal> }
> = {
  'too short': { spoil: (bytes) => bytes.slice(0, -1), verdict: mismatch },
  'too long': { spoil: (bytes) => Uint8Array.from([...bytes, 0]), verdict: refusal(413, 'payload_too_large') },
  'with another last byte': { spoil: (bytes) => bytes.with(-1, 255 - (bytes.at(-1) ?? 0)), verdict: mismatch },
  'of another type': {
    spoil: (bytes, type, world) => imageFile(another(type, world), bytes, bytes.length).bytes,
    verdict: mismatch,
  },
  'that are none': { spoil: () => new Uint8Array(), verdict: mismatch },
};

const putting = (
  name: string,
  spoil: (world: World, shipment: Shipment) => Promise<Awaited<ReturnType<RequestBreak['broken']>>>,
): RequestBreak => ({
  operation: 'putProofFile',
  name: `putProofFile body ${name}`,
  broken: spoil,
});

const fileBreaks: RequestBreak[] = [
  ...Object.entries(spoilt).map(([what, { spoil, verdict }]) =>
    putting(what, async (world, shipment) => {
      const upload = await declare(world, shipment, 'photo');
      const { sent } = validRequest(world, 'putProofFile', { shipment, upload });
      const { bytes, contentType } = upload.file;
      return { sent: { ...sent, file: { contentType, bytes: spoil(bytes, contentType, world) } }, verdict };
    }),
  ),
  putting('other than what is stored', async (world, shipment) => {
    const upload = await store(world, shipment, 'photo');
    const { sent } = validRequest(world, 'putProofFile', { shipment, upload });
    const bytes = upload.file.bytes.with(-1, 255 - (upload.file.bytes.at(-1) ?? 0));
    return { sent: { ...sent, file: { ...upload.file, bytes } }, verdict: refusal(409, 'file_conflict') };
  }),
  putting('sent as another type', async (world, shipment) => {
    const upload = await declare(world, shipment, 'photo');
    const { sent } = validRequest(world, 'putProofFile', { shipment, upload });
    const contentType = world.draw(
      fc.constantFrom('text/plain', 'application/json', another(upload.file.contentType, world)),
    );
    return {
      sent: { ...sent, file: { ...upload.file, contentType } },
      verdict: refusal(415, 'unsupported_media_type'),
    };
  }),
];

/** What goes wrong with files beside their schemas. */
export const uploadBreaks: RequestBreak[] = [...proofBreaks, ...fileBreaks];
