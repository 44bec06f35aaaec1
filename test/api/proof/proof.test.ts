import { expect } from 'vitest';
import { problemOf } from '../../fixtures/http.ts';
import { images, png, uniquePng } from '../../fixtures/images.ts';
import { declare, newUploadUrl, put, signatureUrl, tokenOf } from '../../fixtures/requests.ts';
import { inTransit, newShipment, proofFor, upload } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';

test('getProofOfDelivery returns the submitted proof, and its URLs return the uploaded bytes', async ({ account }) => {
  const { tracking_number } = await inTransit(account);
  const file = uniquePng('signature');
  const body = await proofFor(account, tracking_number);
  body.signature = await account.client.uploadProofFile({
    tracking_number,
    kind: 'signature',
    file,
    content_type: 'image/png',
  });
  const path = { tracking_number };
  const proof = await account.client.submitProofOfDelivery({ ...path, ...body });
  expect(proof).toMatchObject({ tracking_number, signed_by: body.signed_by, location: body.location });
  expect(await account.client.getProofOfDelivery(path)).toEqual(proof);
  const image = await fetch(signatureUrl(proof));
  expect(image.status).toBe(200);
  expect(image.headers.get('content-type')).toBe('image/png');
  expect(image.headers.get('x-content-type-options')).toBe('nosniff');
  expect(new Uint8Array(await image.arrayBuffer())).toEqual(file);
  expect(proof.photos).toHaveLength(1);
});

test('a proof has each of its photos with its type, and refuses a photo twice', async ({ account: { client } }) => {
  const { tracking_number } = await inTransit({ client });
  const { photos = [], ...proof } = await proofFor({ client }, tracking_number);
  const webp = { kind: 'photo', file: images['image/webp'](), content_type: 'image/webp' } as const;
  photos.push(await client.uploadProofFile({ tracking_number, ...webp }));
  const twice = client.submitProofOfDelivery({ tracking_number, ...proof, photos: [...photos, ...photos] });
  await expect(twice).rejects.toMatchObject({ code: 'invalid_request' });
  const submitted = await client.submitProofOfDelivery({ tracking_number, ...proof, photos });
  const read = await client.getProofOfDelivery({ tracking_number });
  for (const { photos: urls } of [submitted, read]) {
    const types = await Promise.all(urls.map(async (url) => (await fetch(url)).headers.get('content-type')));
    expect(types).toEqual(['image/png', 'image/webp']);
  }
});

test('a proof without a location has none in each response', async ({ account }) => {
  const { tracking_number } = await inTransit(account);
  const { location: _, ...body } = await proofFor(account, tracking_number);
  const proof = await account.client.submitProofOfDelivery({ tracking_number, ...body });
  expect(proof).toMatchObject({ signed_by: body.signed_by });
  expect(proof).not.toHaveProperty('location');
  expect(await account.client.getProofOfDelivery({ tracking_number })).toEqual(proof);
});

test('putProofFile stores only the bytes that were declared', async ({ service, account }) => {
  const bytes = uniquePng('declared');
  const url = await newUploadUrl(account, bytes);
  for (const [body, type, status, code] of [
    [bytes.with(-1, 0), 'image/png', 400, 'file_mismatch'],
    [bytes.slice(0, -1), 'image/png', 400, 'file_mismatch'],
    [new Uint8Array(), 'image/png', 400, 'file_mismatch'],
    [Uint8Array.from([...bytes, 1]), 'image/png', 413, 'payload_too_large'],
    [bytes, 'image/jpeg', 415, 'unsupported_media_type'],
    [bytes, 'text/html', 415, 'unsupported_media_type'],
    [bytes, 'application/json', 415, 'unsupported_media_type'],
  ] as const) {
    expect(await problemOf(await put(url, body, type))).toMatchObject({ status, code });
  }
  expect(await service.files.list(account.id)).toEqual([]);
  expect((await put(url, bytes)).status).toBe(204);
  expect(await service.files.list(account.id)).toHaveLength(1);

  for (const type of ['image/png', 'image/jpeg', 'image/webp'] as const) {
    const cut = images[type]().slice(0, -1);
    expect(await problemOf(await put(await newUploadUrl(account, cut, type), cut, type))).toMatchObject({
      status: 400,
      code: 'file_mismatch',
      errors: [{ code: 'mismatch', detail: 'is damaged: it ends before the end of the image' }],
    });
  }

  const script = new TextEncoder().encode('<script>alert(1)</script>');
  const refused = await problemOf(await put(await newUploadUrl(account, script), script));
  const errors = [{ in: 'body', pointer: '', code: 'mismatch' }];
  expect(refused).toMatchObject({ code: 'file_mismatch', errors });
  const short = await problemOf(await put(await newUploadUrl(account, bytes), bytes.slice(0, -1)));
  expect(short.detail).toBe(
    `body has ${bytes.length - 1} bytes where ${bytes.length} were declared and has another SHA-256 than declared.`,
  );
});

test('submitProofOfDelivery accepts only its own received and unused uploads', async ({ service, account }) => {
  const shipment = await inTransit(account);
  const path = { tracking_number: shipment.tracking_number };
  const valid = await proofFor(account, path.tracking_number);
  const elsewhere = await upload(account, (await newShipment(account)).tracking_number, 'photo');
  const other = await newAccount(service);
  const ofOtherAccount = await upload(other, (await newShipment(other)).tracking_number, 'photo');
  const { upload_id: unsent } = await declare(account, path.tracking_number, png());
  const unknown = 'upl_01kjwjfxt6fsytr0x9a1xe4sfc';
  const submit = (body: typeof valid) => account.client.submitProofOfDelivery({ ...path, ...body });
  const [photo = ''] = valid.photos ?? [];
  const invalid = { ...valid, signature: photo, photos: [elsewhere, ofOtherAccount, unsent, unknown, photo] };
  const pointers = ['/signature', '/photos/0', '/photos/1', '/photos/2', '/photos/3'];
  const errors = pointers.map((pointer) => expect.objectContaining({ pointer }));
  await expect(submit(invalid)).rejects.toMatchObject({ status: 400, code: 'unknown_upload', errors });
  expect((await account.client.getTracking(path)).status).toBe('in_transit');
  expect((await submit(valid).withResponse()).status).toBe(201);

  const next = await inTransit(account);
  const used = account.client.submitProofOfDelivery({ tracking_number: next.tracking_number, ...valid });
  await expect(used).rejects.toMatchObject({ status: 400, code: 'unknown_upload' });
});

test('a changed token returns 404, and a token is valid only for its own purpose', async ({ service, account }) => {
  const { tracking_number } = await inTransit(account);
  const bytes = uniquePng('signed');
  const { upload_id: signature, upload_url } = await declare(account, tracking_number, bytes, { kind: 'signature' });
  await put(upload_url, bytes);
  const body = { ...(await proofFor(account, tracking_number)), signature };
  const data = await account.client.submitProofOfDelivery({ tracking_number, ...body });
  const token = tokenOf(signatureUrl(data));
  expect((await fetch(`${service.baseUrl}/files/${token}`)).status).toBe(200);
  for (let at = 0; at < token.length; at += 7) {
    const forged = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    expect((await problemOf(await fetch(`${service.baseUrl}/files/${forged}`))).code).toBe('not_found');
  }
  expect((await fetch(`${service.baseUrl}/files/${tokenOf(upload_url)}`)).status).toBe(404);
  expect((await put(`${service.baseUrl}/uploads/${token}`, bytes)).status).toBe(404);
});
