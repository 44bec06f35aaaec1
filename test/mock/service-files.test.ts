import { describe, expect } from 'vitest';
import { problemOf } from '../fixtures/http.ts';
import { images } from '../fixtures/images.ts';
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

  test('a file is returned as it was uploaded, and must have its declared type', async ({ open }) => {
    const { client } = await open(target);
    const { tracking_number } = await shipmentIn({ client }, 'in_transit');
    const bytes = images['image/webp']();
    const { upload_url, upload_id } = await declare({ client }, tracking_number, bytes, {
      kind: 'signature',
      content_type: 'image/webp',
    });
    const proof = { ...(await proofFor({ client }, tracking_number)), signature: upload_id };
    const submit = () => client.submitProofOfDelivery({ tracking_number, ...proof });
    const unknown = { errors: [{ pointer: '/signature', code: 'unknown_upload' }] };
    await expect(submit()).rejects.toMatchObject({ code: 'unknown_upload', problem: unknown });
    expect(await problemOf(await put(upload_url, bytes, 'image/png'))).toMatchObject({
      code: 'unsupported_media_type',
    });
    for (const _ of ['first', 'repeated']) expect((await put(upload_url, bytes, 'image/webp')).status).toBe(204);
    const image = await fetch(signatureUrl(await submit()));
    expect(image.headers.get('content-type')).toBe('image/webp');
    expect(await image.bytes()).toEqual(bytes);
  });
});
