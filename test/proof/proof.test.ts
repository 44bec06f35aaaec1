import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { problemOf } from '../fixtures/http.ts';
import { png, uniquePng } from '../fixtures/images.ts';
import { tokenOf } from '../fixtures/requests.ts';
import { inTransit, newShipment, proofFor, upload } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';

const declare = async ({ client }: TestAccount, tracking_number: string, bytes: Uint8Array, changes: object = {}) =>
  (
    await client.createProofUpload({
      path: { tracking_number },
      body: {
        kind: 'signature',
        content_type: 'image/png',
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        ...changes,
      },
    })
  ).data;

const put = (url: string, body: Uint8Array<ArrayBuffer>, type = 'image/png') =>
  fetch(url, { method: 'PUT', headers: { 'content-type': type }, body });

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
  const { data: proof } = await account.client.submitProofOfDelivery({ path, body });
  expect(proof).toMatchObject({ tracking_number, signed_by: body.signed_by, location: body.location });
  expect((await account.client.getProofOfDelivery({ path })).data).toEqual(proof);
  const image = await fetch(proof.signature_url);
  expect(image.status).toBe(200);
  expect(image.headers.get('content-type')).toBe('image/png');
  expect(image.headers.get('x-content-type-options')).toBe('nosniff');
  expect(new Uint8Array(await image.arrayBuffer())).toEqual(file);
  expect(proof.photos).toHaveLength(1);
});

test('putProofFile accepts the same bytes again and returns 409 for other bytes', async ({ account }) => {
  const { tracking_number } = await newShipment(account);
  const bytes = uniquePng('again');
  const { upload_url } = await declare(account, tracking_number, bytes);
  const responses = await Promise.all([put(upload_url, bytes), put(upload_url, bytes), put(upload_url, bytes)]);
  expect(responses.map(({ status }) => status)).toEqual([204, 204, 204]);
  const other = uniquePng('other');
  expect(await problemOf(await put(upload_url, other))).toMatchObject({ status: 409, code: 'file_conflict' });
  expect((await put(upload_url, bytes)).status).toBe(204);
});

test('putProofFile refuses bytes that differ from the declaration and then accepts the declared ones', async ({
  account,
}) => {
  const { tracking_number } = await newShipment(account);
  const bytes = uniquePng('honest');
  const { upload_url } = await declare(account, tracking_number, bytes);
  const swapped = Uint8Array.from(bytes);
  swapped[bytes.length - 1] = 0;
  expect(await problemOf(await put(upload_url, swapped))).toMatchObject({ code: 'file_mismatch' });
  expect(await problemOf(await put(upload_url, bytes.slice(0, -1)))).toMatchObject({ code: 'file_mismatch' });
  expect(await problemOf(await put(upload_url, new Uint8Array()))).toMatchObject({ code: 'file_mismatch' });
  expect(await problemOf(await put(upload_url, bytes, 'image/jpeg'))).toMatchObject({ status: 415 });
  for (const type of ['text/html', 'application/json']) {
    expect(await problemOf(await put(upload_url, bytes, type))).toMatchObject({ status: 415 });
  }
  const larger = await put(upload_url, Uint8Array.from([...bytes, 1]));
  expect(await problemOf(larger)).toMatchObject({ status: 413, code: 'payload_too_large' });
  expect((await put(upload_url, bytes)).status).toBe(204);

  const script = new TextEncoder().encode('<script>alert(1)</script>');
  const lie = await declare(account, tracking_number, script);
  expect(await problemOf(await put(lie.upload_url, script))).toMatchObject({
    code: 'file_mismatch',
    errors: [{ in: 'body', pointer: '', code: 'mismatch' }],
  });
});

test('submitProofOfDelivery accepts only received, unused uploads of its shipment and of the right kind', async ({
  service,
  account,
}) => {
  const shipment = await inTransit(account);
  const path = { tracking_number: shipment.tracking_number };
  const valid = await proofFor(account, path.tracking_number);
  const elsewhere = await upload(account, (await newShipment(account)).tracking_number, 'photo');
  const other = await newAccount(service);
  const ofOtherAccount = await upload(other, (await newShipment(other)).tracking_number, 'photo');
  const { upload_id: unsent } = await declare(account, path.tracking_number, png(), { kind: 'photo' });
  const unknown = 'upl_01kjwjfxt6fsytr0x9a1xe4sfc';
  const photos = [elsewhere, ofOtherAccount, unsent, unknown, ...(valid.photos ?? [])];
  const attempt = account.client.submitProofOfDelivery({
    path,
    body: { ...valid, signature: photos[4] ?? '', photos },
  });
  await expect(attempt).rejects.toMatchObject({ status: 400, code: 'unknown_upload' });
  const error = await attempt.catch((reason) => reason);
  expect(error.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/signature',
    ...['/photos/0', '/photos/1', '/photos/2', '/photos/3'],
  ]);
  expect((await account.client.getTracking({ path })).data.status).toBe('in_transit');
  expect((await account.client.submitProofOfDelivery({ path, body: valid })).status).toBe(201);
});

test('a changed token returns 404, and a token is valid only for its own purpose', async ({ service, account }) => {
  const { tracking_number } = await inTransit(account);
  const bytes = uniquePng('signed');
  const { upload_id: signature, upload_url } = await declare(account, tracking_number, bytes);
  await put(upload_url, bytes);
  const body = { ...(await proofFor(account, tracking_number)), signature };
  const { data } = await account.client.submitProofOfDelivery({ path: { tracking_number }, body });
  const token = tokenOf(data.signature_url);
  expect((await fetch(`${service.baseUrl}/files/${token}`)).status).toBe(200);
  for (let at = 0; at < token.length; at += 7) {
    const forged = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    expect((await problemOf(await fetch(`${service.baseUrl}/files/${forged}`))).code).toBe('not_found');
  }
  expect((await fetch(`${service.baseUrl}/files/${tokenOf(upload_url)}`)).status).toBe(404);
  expect((await put(`${service.baseUrl}/uploads/${token}`, bytes)).status).toBe(404);
});
