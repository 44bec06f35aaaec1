import type { ProofOfDeliveryRequest } from '@waybill/client';
import { expect } from 'vitest';
import { images, png, uniquePng } from '../../fixtures/images.ts';
import { problemOf } from '../../fixtures/requests/send.ts';
import { declare, delivered, newUploadUrl, put, tokenOf } from '../../fixtures/requests/valid-requests.ts';
import { inTransit, newShipment, proofFor, shipmentIn, upload } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';

const types = ['image/png', 'image/jpeg', 'image/webp'] as const;

test('a proof has what was submitted, with URLs of the uploaded bytes', async ({ account: { client } }) => {
  const { tracking_number } = await inTransit({ client });
  const [file, webp] = [uniquePng('signature'), images['image/webp']()];
  const { signature: _, photos: [photo = ''] = [], ...body } = await proofFor({ client }, tracking_number);
  const add = (kind: 'signature' | 'photo', bytes: Uint8Array, content_type: 'image/png' | 'image/webp') =>
    client.uploadProofFile({ tracking_number, kind, file: bytes, content_type });
  const signature = await add('signature', file, 'image/png');
  const photos = [photo, await add('photo', webp, 'image/webp')];
  const proof = { tracking_number, ...body, signature, unattended: false };
  const twice = client.submitProofOfDelivery({ ...proof, photos: [...photos, photo] });
  await expect(twice).rejects.toMatchObject({ code: 'invalid_request' });
  const submitted = await client.submitProofOfDelivery({ ...proof, photos });
  const read = await client.getProofOfDelivery({ tracking_number });
  const { signature_url = '', photos: urls, ...rest } = read;
  expect([submitted, rest]).toEqual([read, { tracking_number, status: 'delivered', ...body }]);
  const responses = await Promise.all([signature_url, ...urls].map((url) => fetch(url)));
  const shown = responses.map(({ headers }) =>
    [headers.get('content-type'), headers.get('x-content-type-options')].join(),
  );
  expect(shown).toEqual(['image/png,nosniff', 'image/png,nosniff', 'image/webp,nosniff']);
  expect([await responses[0]?.bytes(), await responses[2]?.bytes()]).toEqual([file, webp]);
});

test('a proof has a name and a signature, or is unattended with a photo', async ({ account: { client, events } }) => {
  const { tracking_number } = await inTransit({ client });
  const { signed_by, signature, photos, delivered_at } = await proofFor({ client }, tracking_number);
  const path = { tracking_number };
  const submit = (proof: Omit<ProofOfDeliveryRequest, 'delivered_at' | 'location'>) =>
    client.submitProofOfDelivery({ ...path, delivered_at, ...proof });
  for (const [proof, ...refused] of [
    [{}, 'signed_by required', 'signature required'],
    [{ signed_by, photos }, 'signature required'],
    [{ signature, unattended: false }, 'signed_by required'],
    [{ unattended: true }, 'photos required'],
    [{ unattended: true, photos: [] }, 'photos too_short'],
    [{ unattended: true, photos, signed_by }, 'signed_by not_allowed'],
    [{ unattended: true, signed_by, signature }, 'signed_by not_allowed', 'signature not_allowed', 'photos required'],
  ] as [object, ...string[]][]) {
    const errors = refused
      .map((each) => each.split(' '))
      .map(([name, code]) => ({ in: 'body', pointer: `/${name}`, code }));
    await expect(submit(proof), refused.join()).rejects.toMatchObject({ status: 400, code: 'invalid_request', errors });
  }
  const earlier = (await events()).length;
  const submitted = await submit({ unattended: true, photos });
  expect(submitted).toEqual({
    ...path,
    status: 'delivered',
    delivered_at,
    unattended: true,
    photos: [expect.any(String)],
  });
  expect(await client.getProofOfDelivery(path)).toEqual(submitted);
  const types = (await events()).slice(earlier).map(({ type }) => type);
  expect(types).toEqual(['tracking.status_reached', 'proof_of_delivery.submitted']);
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
  ] as const) {
    expect(await problemOf(await put(url, body, type))).toMatchObject({ status, code });
  }
  const script = new TextEncoder().encode('<script>alert(1)</script>');
  for (const [type, content, detail] of [
    ...types.map((type) => [type, images[type]().slice(0, -1), 'ends before'] as const),
    ['image/png', script, 'of no accepted type'],
  ] as const) {
    const problem = await problemOf(await put(await newUploadUrl(account, content, type), content, type));
    expect(problem).toMatchObject({ status: 400, code: 'file_mismatch', detail: expect.stringContaining(detail) });
  }
  expect(await service.files.list(account.id)).toEqual([]);
  expect((await put(url, bytes)).status).toBe(204);
  expect(await service.files.list(account.id)).toHaveLength(1);
});

test('submitProofOfDelivery accepts only its own received and unused uploads', async ({ service, account }) => {
  const { tracking_number } = await inTransit(account);
  const valid = await proofFor(account, tracking_number);
  const elsewhere = await upload(account, (await newShipment(account)).tracking_number, 'photo');
  const other = await newAccount(service);
  const ofOtherAccount = await upload(other, (await newShipment(other)).tracking_number, 'photo');
  const { upload_id: unsent } = await declare(account, tracking_number, png());
  const submit = (changes: object = {}, number = tracking_number) =>
    account.client.submitProofOfDelivery({ tracking_number: number, ...valid, ...changes });
  const [photo = ''] = valid.photos ?? [];
  const photos = [elsewhere, ofOtherAccount, unsent, 'upl_01kjwjfxt6fsytr0x9a1xe4sfc', photo];
  const errors = ['/signature', '/photos/0', '/photos/1', '/photos/2', '/photos/3'].map((pointer) => ({ pointer }));
  const refused = { status: 400, code: 'unknown_upload' };
  await expect(submit({ signature: photo, photos })).rejects.toMatchObject({ ...refused, errors });
  await submit();
  await expect(submit({}, (await inTransit(account)).tracking_number)).rejects.toMatchObject(refused);
});

test('a proof has the counted pieces beside the expected ones, and suggests exceptions', async ({ account }) => {
  const items = [5, 4].map((pieces) => ({ description: 'Crates', pieces, weight: { value: 90, unit: 'kg' as const } }));
  const submit = async (...counted: [index: number, pieces_delivered: number][]) => {
    const { tracking_number } = await shipmentIn(account, 'in_transit', { items });
    const proof = { tracking_number, ...(await proofFor(account, tracking_number)), remarks: 'One crate is wet.' };
    const sent = counted.map(([index, pieces_delivered]) => ({ index, pieces_delivered }));
    const submitted = await account.client.submitProofOfDelivery({ ...proof, items: sent });
    expect(await account.client.getProofOfDelivery({ tracking_number })).toEqual(submitted);
    expect((await account.client.getTracking({ tracking_number })).exceptions).toBeUndefined();
    return submitted;
  };
  const expected = (index: number, pieces_expected: number, pieces_delivered: number) => ({
    ...{ index, pieces_expected, pieces_delivered },
  });
  const [short, over] = [expected(1, 4, 0), expected(0, 5, 6)];
  const found = { items: [short, over], suggested_exceptions: ['short', 'over'], remarks: 'One crate is wet.' };
  expect(await submit([1, 0], [0, 6])).toMatchObject(found);
  const complete = await submit([0, 5]);
  expect(complete).toMatchObject({ items: [expected(0, 5, 5)] });
  expect(complete).not.toHaveProperty('suggested_exceptions');
  const refused = { status: 400, code: 'invalid_request' };
  const error = (at: number, code: string) => ({ errors: [{ pointer: `/items/${at}/index`, code }] });
  await expect(submit([0, 5], [2, 1])).rejects.toMatchObject({ ...refused, ...error(1, 'out_of_range') });
  await expect(submit([0, 5], [0, 5])).rejects.toMatchObject({ ...refused, ...error(1, 'duplicate') });
});

test('a changed token returns 404, and a token is valid only for its own purpose', async ({ service, account }) => {
  const bytes = uniquePng('signed');
  const { uploadUrl, proof } = await delivered(account, bytes);
  const token = tokenOf(proof.signature_url);
  const read = (changed: string) => fetch(`${service.baseUrl}/files/${changed}`);
  expect((await read(token)).status).toBe(200);
  for (let at = 0; at < token.length; at += 7) {
    const forged = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    expect((await problemOf(await read(forged))).code).toBe('not_found');
  }
  expect((await read(tokenOf(uploadUrl))).status).toBe(404);
  expect((await put(`${service.baseUrl}/uploads/${token}`, bytes)).status).toBe(404);
});
