import { describe, expect } from 'vitest';
import { receive } from '../fixtures/http.ts';
import { images, uniquePng } from '../fixtures/images.ts';
import { declare, put, signatureUrl } from '../fixtures/requests.ts';
import { proofFor, shipmentIn, upload } from '../fixtures/shipments.ts';
import { targets, test } from './targets.ts';

describe.each(targets)('%s', (target) => {
  test('a proof has both of its photos, and refuses a photo twice', async ({ open }) => {
    const { client } = await open(target);
    const { tracking_number } = await shipmentIn({ client }, 'in_transit');
    const path = { tracking_number };
    const proof = await proofFor({ client }, tracking_number);
    const photos = [await upload({ client }, tracking_number, 'photo'), ...(proof.photos ?? [])];
    const twice = client.submitProofOfDelivery({ ...path, ...proof, photos: [...photos, ...photos] });
    await expect(twice).rejects.toMatchObject({ code: 'invalid_request' });
    const submitted = await client.submitProofOfDelivery({ ...path, ...proof, photos });
    const read = await client.getProofOfDelivery(path);
    for (const { photos: urls } of [submitted, read]) {
      expect(new Set(urls).size).toBe(2);
      for (const url of urls) expect((await fetch(url)).status).toBe(200);
    }
  });

  test('a file is returned as it was uploaded, and must be as it was declared', async ({ open }) => {
    const { client } = await open(target);
    const { tracking_number } = await shipmentIn({ client }, 'in_transit');
    const bytes = images['image/webp']();
    const { upload_url, upload_id } = await declare({ client }, tracking_number, bytes, {
      ...{ kind: 'signature', content_type: 'image/webp' },
    });
    const proof = { ...(await proofFor({ client }, tracking_number)), signature: upload_id };
    const submit = () => client.submitProofOfDelivery({ tracking_number, ...proof });
    const unknown = { errors: [{ pointer: '/signature', code: 'unknown_upload' }] };
    await expect(submit()).rejects.toMatchObject({ code: 'unknown_upload', problem: unknown });
    const codeOf = async (...file: [Uint8Array<ArrayBuffer>, string]) =>
      (await receive(await put(upload_url, ...file))).code;
    expect(await codeOf(bytes, 'image/png')).toBe('unsupported_media_type');
    expect(await codeOf(bytes.with(-1, 1), 'image/webp')).toBe('file_mismatch');
    expect(await codeOf(Uint8Array.from([...bytes, 0]), 'image/webp')).toBe('payload_too_large');
    for (const _ of ['first', 'repeated']) expect((await put(upload_url, bytes, 'image/webp')).status).toBe(204);
    expect(await codeOf(bytes.with(-1, 1), 'image/webp')).toBe('file_conflict');
    const image = await fetch(signatureUrl(await submit()));
    expect(image.headers.get('content-type')).toBe('image/webp');
    expect(await image.bytes()).toEqual(bytes);
  });

  test('a shipment has at most 20 files that are not part of a proof, and accepts none after its delivery', async ({
    open,
  }) => {
    const { client } = await open(target);
    const { tracking_number } = await shipmentIn({ client }, 'in_transit');
    const declareAny = () => declare({ client }, tracking_number, uniquePng('any'));
    const proof = await proofFor({ client }, tracking_number);
    for (let count = 2; count < 20; count++) await declareAny();
    await expect(declareAny()).rejects.toMatchObject({ status: 429, code: 'upload_limit_reached' });
    await client.submitProofOfDelivery({ tracking_number, ...proof });
    await expect(declareAny()).rejects.toMatchObject({ code: 'uploads_not_accepted' });
  });
});
