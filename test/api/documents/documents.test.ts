import { createClient } from '@waybill/client';
import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { openStream } from '../../events/read-stream.ts';
import { testWithOwnService } from '../../fixtures/database/own-database.ts';
import { files, largePdf, pdf, png } from '../../fixtures/images.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { declare, sha256 } from '../../fixtures/requests/valid-requests.ts';
import { newShipment, type Status, shipmentIn, upload } from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';
import { newAccess } from '../access/accesses.ts';

const mebibyte = 1024 * 1024;
const url = expect.stringMatching(/\/v1\/files\//);

const documentOf = async ({ client }: Pick<TestAccount, 'client'>, tracking_number: string) =>
  client.addDocument({
    tracking_number,
    upload_id: await upload({ client }, tracking_number, 'document'),
    type: 'photo',
  });

test.for<Status>(['scheduled', 'delivered', 'lost'])(
  'a shipment that is %s gets documents of each type of file, with their events',
  async (status, { account }) => {
    const { client } = account;
    const { id: shipment_id, tracking_number } = await shipmentIn(account, status);
    const before = (await account.events()).length;
    const added = [];
    for (const [content_type, make] of Object.entries(files)) {
      const [file, description] = [make(), `The ${content_type}`];
      const upload_id = await client.uploadProofFile({ tracking_number, kind: 'document', file });
      const document = await client.addDocument({ tracking_number, upload_id, type: 'invoice', description });
      const time = expect.stringMatching(/Z$/);
      const fields = { type: 'invoice', description, content_type, size: file.length, added_at: time };
      expect(document).toEqual({ id: expect.stringMatching(/^doc_/), ...fields, url });
      const response = await fetch(document.url);
      expect([response.status, Buffer.from(await response.bytes())]).toEqual([200, Buffer.from(file)]);
      const isShown = /png|jpeg|webp/.test(content_type);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': content_type,
        'content-disposition': expect.stringMatching(`^${isShown ? 'inline' : 'attachment'}; filename="upl_`),
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      });
      added.push(document);
    }
    expect((await client.listDocuments({ tracking_number })).data).toEqual(added);
    const changes = (await account.events()).slice(before).map(({ type, data }) => [type, data]);
    expect(changes).toEqual(
      added.map(({ url: _, ...document }) => [
        'document.added',
        { document_change: { shipment_id, tracking_number, status, document } },
      ]),
    );
  },
);

test('a proof of delivery on paper completes the delivery once', async ({ account }) => {
  const { client } = account;
  const { id: shipment_id, tracking_number } = await shipmentIn(account, 'dispatched');
  const delivered_at = new Date(Date.now() - 3_600_000).toISOString();
  const upload_id = await upload(account, tracking_number, 'document');
  const add = (more: object) => client.addDocument({ tracking_number, upload_id, type: 'proof_of_delivery', ...more });
  const refused = { status: 400, errors: [{ pointer: '/delivered_at', code: 'not_allowed' }] };
  await expect(add({ type: 'invoice', delivered_at })).rejects.toMatchObject(refused);
  const before = (await account.events()).length;
  const { url: _, ...document } = await add({ delivered_at });
  const tracking = await client.getTracking({ tracking_number });
  expect(tracking.timeline).toContainEqual(expect.objectContaining({ status: 'delivered', timestamp: delivered_at }));
  const change = { shipment_id, tracking_number, status: 'delivered', document };
  expect((await account.events()).slice(before).map(({ type, data }) => [type, data])).toEqual([
    ['tracking.status_reached', { tracking }],
    ['document.added', { document_change: change }],
  ]);
  const proof = client.getProofOfDelivery({ tracking_number });
  await expect(proof).rejects.toMatchObject({ status: 404, code: 'proof_not_available' });
  await add({ upload_id: await upload(account, tracking_number, 'document'), delivered_at: new Date() });
  expect(await client.getTracking({ tracking_number })).toEqual(tracking);
  expect((await client.listDocuments({ tracking_number })).data).toHaveLength(2);
});

test('createProofUpload accepts large files and other types than images only for documents', async ({ account }) => {
  const { tracking_number } = await newShipment(account);
  const pointersOf = (changes: object): Promise<unknown> =>
    declare(account, tracking_number, png(), changes).then(
      () => [],
      ({ errors }) => errors.map(({ pointer }: { pointer: string }) => pointer),
    );
  for (const [changes, pointers] of [
    [{ kind: 'photo', size: 10 * mebibyte }, []],
    [{ kind: 'photo', size: 10 * mebibyte + 1 }, ['/size']],
    [{ kind: 'signature', content_type: 'image/tiff' }, ['/content_type']],
    [{ kind: 'photo', content_type: 'application/pdf', size: 20 * mebibyte }, ['/content_type', '/size']],
    [{ kind: 'document', content_type: 'application/pdf', size: 20 * mebibyte }, []],
    [{ kind: 'document', size: 20 * mebibyte }, []],
    [{ kind: 'document', size: 20 * mebibyte + 1 }, ['/size']],
  ] as [object, string[]][]) {
    expect(await pointersOf(changes), JSON.stringify(changes)).toEqual(pointers);
  }
});

test('putProofFile stores a PDF of 20 MiB and one with bytes around it, and no other text', async ({ account }) => {
  const { tracking_number } = await newShipment(account);
  const send = (file: Uint8Array<ArrayBuffer>) =>
    account.client.uploadProofFile({ tracking_number, kind: 'document', content_type: 'application/pdf', file });
  const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
  await send(largePdf(20 * mebibyte));
  await send(bytesOf(`\xef\xbb\xbf\n${Buffer.from(pdf())}${'\0'.repeat(4845)}`));
  const refused = { status: 400, code: 'file_mismatch', detail: expect.stringContaining('begins with "<script>aler"') };
  await expect(send(bytesOf('<script>alert(1)</script>%PDF-1.4 %%EOF'))).rejects.toMatchObject(refused);
});

test('addDocument accepts only its own received and unused uploads of documents', async ({ service, account }) => {
  const { client } = account;
  const { tracking_number } = await newShipment(account);
  const other = await newAccount(service);
  const unsent = await declare(account, tracking_number, png(), { kind: 'document' });
  const add = (upload_id: string) => client.addDocument({ tracking_number, upload_id, type: 'other' });
  for (const upload_id of [
    await upload(account, tracking_number, 'photo'),
    await upload(account, (await newShipment(account)).tracking_number, 'document'),
    await upload(other, (await newShipment(other)).tracking_number, 'document'),
    unsent.upload_id,
  ]) {
    const errors = [{ pointer: '/upload_id', code: 'unknown_upload' }];
    await expect(add(upload_id)).rejects.toMatchObject({ status: 400, code: 'unknown_upload', errors });
  }
  const upload_id = await upload(account, tracking_number, 'document');
  const twice = await concurrently(8, () => add(upload_id).catch(({ code }) => code));
  expect(twice.filter((each) => each === 'unknown_upload')).toHaveLength(7);
  expect((await client.listDocuments({ tracking_number })).data).toHaveLength(1);
});

test('of 21 concurrent documents a shipment gets 20, and after a removal another one', async ({ service, account }) => {
  const { client } = account;
  const { tracking_number } = await newShipment(account);
  // Only 20 uploads of a caller can wait: one is that of another caller.
  const uploads = await concurrently(20, () => upload(account, tracking_number, 'document'));
  const shipment = (await client.listShipments({ tracking_number })).data[0] ?? { id: '' };
  const { token } = await newAccess(account, shipment);
  const carrier = createClient({ baseUrl: service.baseUrl, accessToken: token });
  uploads.push(await upload({ client: carrier }, tracking_number, 'document'));
  const add = (upload_id: string) => client.addDocument({ tracking_number, upload_id, type: 'other' });
  const results = await Promise.allSettled(uploads.map(add));
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(refused).toMatchObject([{ status: 409, code: 'document_limit_reached' }]);
  const [first, ...others] = (await client.listDocuments({ tracking_number })).data;
  expect(others).toHaveLength(19);
  await client.deleteDocument({ tracking_number, document_id: first?.id ?? '' });
  expect((await fetch(first?.url ?? '')).status).toBe(404);
  const removed = client.deleteDocument({ tracking_number, document_id: first?.id ?? '' });
  await expect(removed).rejects.toMatchObject({ status: 404 });
  const { url: _, ...document } = first ?? {};
  expect((await account.events()).at(-1)).toMatchObject({
    type: 'document.removed',
    data: { document_change: { document } },
  });
  const left = uploads[results.findIndex(({ status }) => status === 'rejected')] ?? '';
  const last = await add(left);
  expect((await client.listDocuments({ tracking_number })).data).toEqual([...others, last]);
});

test('an access sees documents and their events only with documents: true', async ({ service, account }) => {
  const shipment = await newShipment(account);
  const { tracking_number, id: shipment_id } = shipment;
  const open = async (documents: boolean) => {
    const { token, id: access_id } = await newAccess(account, shipment, { documents });
    const stream = await openStream(service, { key: token });
    await stream.next();
    const client = createClient({ baseUrl: service.baseUrl, accessToken: token });
    const end = () => account.client.deleteAccess({ shipment_id, access_id });
    return { client, stream, end };
  };
  const [blind, seeing] = [await open(false), await open(true)];
  const { url: _, ...document } = await documentOf(blind, tracking_number);
  const listed = blind.client.listDocuments({ tracking_number });
  await expect(listed).rejects.toMatchObject({ status: 403, code: 'insufficient_scope' });
  const { data } = await seeing.client.listDocuments({ tracking_number });
  expect(data).toEqual([{ ...document, url }]);
  await account.client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
  await Promise.all([blind.end(), seeing.end()]);
  const texts = async ({ stream }: typeof blind) => (await stream.rest()).flatMap(({ data = [] }) => data);
  const [hidden, shown] = [await texts(blind), await texts(seeing)];
  expect(hidden.map((text) => JSON.parse(text).type)).toEqual(['tracking.status_reached']);
  expect(shown.map((text) => JSON.parse(text).type)).toEqual(['document.added', 'tracking.status_reached']);
  expect(shown.join()).not.toMatch(/files\//);
});

// Clean-up is for all accounts.
testWithOwnService('clean-up removes the file and the bytes of a removed document', async ({ service, account }) => {
  const { tracking_number } = await newShipment(account);
  const [removed, kept] = [await documentOf(account, tracking_number), await documentOf(account, tracking_number)];
  await account.client.deleteDocument({ tracking_number, document_id: removed.id });
  const hoursAgo = sql`now() - interval '26 hours'`;
  await sql`update proof_uploads set created_at = ${hoursAgo}, ended_at = case when ended_at is null then null else ${hoursAgo} end
    where account_id = ${account.id}`.execute(service.db);
  expect((await cleanUp({ ...service, retention: { positionDays: 7 } })).uploads).toBe(1);
  expect(await service.files.list(account.id)).toHaveLength(1);
  const { rows } = await sql`select bytes::integer from stored_bytes where account_id = ${account.id}`.execute(
    service.db,
  );
  expect(rows).toEqual([{ bytes: kept.size }]);
  expect(sha256(await (await fetch(kept.url)).bytes())).toHaveLength(64);
});
