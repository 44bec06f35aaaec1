import { disableAccount } from '@waybill/server/auth/administration';
import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { expect, inject, vi } from 'vitest';
import { concurrently } from '../../fixtures/concurrently.ts';
import { problemOf } from '../../fixtures/http.ts';
import { largePng, uniquePng } from '../../fixtures/images.ts';
import { testWithOwnService } from '../../fixtures/own-database.ts';
import { open } from '../../fixtures/raw-http.ts';
import { delivered, newUploadUrl, put, sha256, signatureUrl } from '../../fixtures/requests.ts';
import { type Service, startService } from '../../fixtures/service.ts';
import { inTransit, newShipment, proofFor, upload } from '../../fixtures/shipments.ts';
import { storedFile } from '../../fixtures/stored-files.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';
import { putHead } from './environment.ts';

const bytesOf = async (url: string): Promise<string> => {
  const response = await fetch(url);
  return `${response.status} ${sha256(await response.bytes())}`;
};

test('putProofFile does not write a stored file again, whatever is sent', async ({ service, account }) => {
  const bytes = largePng(200_001);
  const { uploadUrl, proof } = await delivered(account, bytes);
  const stored = async () => (await storedFile(service.files, account, bytes.length)).version;
  const before = await stored();
  for (const [name, body, status, type] of [
    ['other bytes of the same length', bytes.with(-1, 1), 409],
    ['fewer bytes', bytes.slice(0, -1), 409],
    ['no bytes', new Uint8Array(), 409],
    ['more bytes', Uint8Array.from([...bytes, 1]), 409],
    ['another image', uniquePng('other'), 409],
    ['another type', bytes, 415, 'image/jpeg'],
    ['the same bytes', bytes, 204],
  ] as const) {
    const response = await put(uploadUrl, body, type);
    expect(response.status, name).toBe(status);
    if (status === 409) expect(await problemOf(response), name).toMatchObject({ code: 'file_conflict' });
    expect(await bytesOf(proof.signature_url)).toBe(`200 ${sha256(bytes)}`);
    expect(await stored()).toBe(before);
    expect(await service.files.incoming()).toEqual([]);
  }
});

test('putProofFile stores nothing before it has verified all bytes', async ({ service, account }) => {
  const bytes = largePng(300_000);
  const url = await newUploadUrl(account, bytes);
  const { socket, received, responses } = await open({ origin: url });
  socket.write(`${putHead(url, { 'transfer-encoding': 'chunked' })}${bytes.length.toString(16)}\r\n`);
  socket.write(bytes.with(-1, 1));
  await vi.waitFor(async () => expect(await service.files.incoming()).toHaveLength(1), waitTimeout);
  const other = largePng(1000);
  expect((await put(await newUploadUrl(account, other), other)).status).toBe(204); // meanwhile all bytes have arrived
  socket.write('\r\n0\r\n\r\n');
  await responses(1);
  expect(received()).toMatch(/^HTTP\/1\.1 400 /);
  expect(await service.files.list(account.id)).toMatchObject([{ size: other.length }]);
  socket.destroy();
});

test('putProofFile stores a file once that is sent several times at once', async ({ service, account }) => {
  const bytes = largePng(500_003);
  const url = await newUploadUrl(account, bytes);
  const responses = await concurrently(8, () => put(url, bytes));
  expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(204));
  expect(await service.files.list(account.id)).toHaveLength(1);
  expect(await service.files.incoming()).toEqual([]);
});

test('getProofFile returns the complete file while the same bytes are sent again', async ({ account }) => {
  const bytes = largePng(2_000_003);
  const { uploadUrl, proof } = await delivered(account, bytes);
  const writers = concurrently(4, async () => (await put(uploadUrl, bytes)).status);
  const readers = concurrently(10, () => bytesOf(proof.signature_url));
  expect(new Set(await writers)).toEqual(new Set([204]));
  expect(new Set(await readers)).toEqual(new Set([`200 ${sha256(bytes)}`]));
});

test('signed URLs of a disabled account return 404 at once', async ({ service, account }) => {
  const bytes = largePng(1000);
  const { uploadUrl, proof } = await delivered(account, bytes);
  expect((await fetch(proof.signature_url)).status).toBe(200);
  await disableAccount(service.db, account.id);
  expect(await problemOf(await fetch(proof.signature_url))).toMatchObject({ status: 404, code: 'not_found' });
  expect(await problemOf(await put(uploadUrl, bytes))).toMatchObject({ status: 404, code: 'not_found' });
});

test.for<[what: string, end: (service: Service, account: TestAccount) => Promise<unknown>]>([
  ['its account is disabled', ({ db }, { id }) => disableAccount(db, id)],
  [
    'it is removed',
    async (_service, { client }) => {
      const [{ tracking_number = '' } = {}] = (await client.listShipments()).data;
      const [{ upload_id = '' } = {}] = (await client.listProofUploads({ tracking_number })).data;
      await client.deleteProofUpload({ tracking_number, upload_id });
    },
  ],
])('an upload is not verified when %s meanwhile', async ([, end], { service, account }) => {
  const bytes = largePng(300_000);
  const url = await newUploadUrl(account, bytes);
  const { socket, received, responses } = await open({ origin: url });
  socket.write(putHead(url, { 'content-length': bytes.length }));
  socket.write(bytes.subarray(0, 200_000));
  await vi.waitFor(async () => expect(await service.files.incoming()).toHaveLength(1), waitTimeout);
  await end(service, account);
  socket.write(bytes.subarray(200_000));
  await responses(1);
  expect(received()).toMatch(/HTTP\/1\.1 404 /);
  const rows = await service.db.selectFrom('proof_uploads').select('verified_at').where('account_id', '=', account.id);
  expect(await rows.execute()).toEqual([{ verified_at: null }]);
  socket.destroy();
});

test.for([
  ['with a Content-Length', { 'content-length': 1e12 }],
  ['chunked', { 'transfer-encoding': 'chunked' }],
] as [string, Record<string, string | number>][])(
  'an endless PUT %s returns 413',
  async ([, framing], { service, account }) => {
    const url = await newUploadUrl(account, uniquePng('small'));
    const { socket, received, closed } = await open({ origin: url });
    socket.write(putHead(url, framing));
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    let sent = 0;
    const pump = (): void => {
      while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
    };
    socket.on('drain', pump);
    pump();
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 413 /);
    expect(received().match(/HTTP\/1\.1 /g)).toHaveLength(1);
    // What the service reads after its response, and what lies in the buffers of both ends.
    expect(sent).toBeLessThan(100 * 1024 * 1024);
    expect(await service.files.incoming()).toEqual([]);
  },
);

test('an upload longer than REQUEST_SECONDS returns 408, closes the connection and leaves no file', async () => {
  await using service = await startService({ REQUEST_SECONDS: '1' });
  const url = await newUploadUrl(await newAccount(service), largePng(1_000_000));
  const { socket, received, responses, closed } = await open({ origin: url });
  socket.write(putHead(url, { 'content-length': 1_000_000 }));
  const drip = setInterval(() => socket.writable && socket.write('x'), 20);
  await (inject('cluster') ? responses(1) : closed); // a proxy keeps the connection to the client
  clearInterval(drip);
  socket.destroy();
  expect(received()).toMatch(/^HTTP\/1\.1 408 /);
  await vi.waitFor(async () => expect(await service.files.incoming()).toEqual([]), waitTimeout);
  await vi.waitFor(async () => expect(await service.files.open()).toEqual([]), waitTimeout);
});

// Clean-up is for all accounts.
testWithOwnService(
  'clean-up removes uploads without a proof, and their files, after 25 hours',
  async ({ service, account }) => {
    const { db, storage, files } = service;
    const { tracking_number } = await inTransit(account);
    const body = await proofFor(account, tracking_number);
    const proof = await account.client.submitProofOfDelivery({ tracking_number, ...body });
    const bound = (await files.list(account.id)).map(({ name }) => name);
    await upload(account, (await newShipment(account)).tracking_number, 'photo');
    const age = (hours: string) => sql`update proof_uploads set created_at = now() - ${hours}::interval`.execute(db);
    await age('24 h 50 min');
    expect((await cleanUp({ db, storage, retention: { positionDays: 7 } })).uploads).toBe(0);
    expect(await files.list(account.id)).toHaveLength(bound.length + 1);
    await age('25 h');
    expect((await cleanUp({ db, storage, retention: { positionDays: 7 } })).uploads).toBe(1);
    expect((await files.list(account.id)).map(({ name }) => name)).toEqual(bound);
    expect((await fetch(signatureUrl(proof))).status).toBe(200);
  },
);
