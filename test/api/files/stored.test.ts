import { disableAccount } from '@waybill/server/auth/administration';
import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { testWithOwnService } from '../../fixtures/database/own-database.ts';
import { largePng, uniquePng } from '../../fixtures/images.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { open } from '../../fixtures/requests/raw-http.ts';
import { problemOf } from '../../fixtures/requests/send.ts';
import { delivered, newUploadUrl, put, sha256, signatureUrl } from '../../fixtures/requests/valid-requests.ts';
import { notWithCluster } from '../../fixtures/service/not-with-cluster.ts';
import type { Service } from '../../fixtures/service/service.ts';
import { storedFile } from '../../fixtures/service/stored-files.ts';
import { inTransit, newShipment, proofFor, upload } from '../../fixtures/shipments.ts';
import { type TestAccount, test } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';
import { putHead } from './environment.ts';

const bytesOf = async (url: string): Promise<string> => {
  const response = await fetch(url);
  return `${response.status} ${sha256(await response.bytes())}`;
};

/** Begins a PUT request, of which the service receives some bytes. */
async function begin({ files }: Service, url: string, headers: Record<string, string | number>, bytes: Uint8Array) {
  const connection = await open({ origin: url });
  connection.socket.write(putHead(url, headers));
  connection.socket.write(bytes);
  await vi.waitFor(async () => expect(await files.incoming()).toHaveLength(1), waitTimeout);
  /** Sends the rest. @returns the response */
  const end = async (rest: Uint8Array | string): Promise<string> => {
    connection.socket.write(rest);
    await connection.responses(1);
    connection.socket.destroy();
    return connection.received();
  };
  return end;
}

test('putProofFile does not write a stored file again, whatever is sent', async ({ service, account }) => {
  const bytes = largePng(200_001);
  const { uploadUrl, proof } = await delivered(account, bytes);
  const stored = async () => (await storedFile(service.files, account, bytes.length)).version;
  const before = await stored();
  for (const [name, body, status, type] of [
    ['other bytes of the same length', bytes.with(-1, 1), 409],
    ['more bytes', Uint8Array.from([...bytes, 1]), 409],
    ['another type', bytes, 415, 'image/jpeg'],
    ['the same bytes', bytes, 204],
  ] as const) {
    const response = await put(uploadUrl, body, type);
    expect(response.status, name).toBe(status);
    if (status === 409) expect(await problemOf(response), name).toMatchObject({ code: 'file_conflict' });
    expect(await bytesOf(proof.signature_url)).toBe(`200 ${sha256(bytes)}`);
    expect([await stored(), await service.files.incoming()]).toEqual([before, []]);
  }
});

test('putProofFile compares bytes with a verified upload by their SHA-256 alone', async ({ service, account }) => {
  const { uploadUrl } = await delivered(account, largePng(1000));
  const bytes = Buffer.from('no PNG');
  const verified = { size: bytes.length, sha256: Buffer.from(sha256(bytes), 'hex') };
  await service.db.updateTable('proof_uploads').set(verified).where('account_id', '=', account.id).execute();
  expect((await put(uploadUrl, Uint8Array.from(bytes))).status).toBe(204);
});

test.for([
  [1, 'HTTP/1.1 400'],
  [1024, 'HTTP/1.1 204'],
])('a PUT of 200,000 bytes in chunks of %i returns %s', async ([length, status], { account }) => {
  notWithCluster('the proxy sends larger chunks');
  const bytes = Buffer.from(largePng(200_000));
  const url = await newUploadUrl(account, Uint8Array.from(bytes));
  const { socket, responses, received } = await open({ origin: url });
  socket.write(putHead(url, { 'transfer-encoding': 'chunked' }));
  for (let at = 0; at < bytes.length; at += Number(length)) {
    const part = bytes.subarray(at, at + Number(length));
    socket.write(Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]));
  }
  socket.write('0\r\n\r\n');
  await responses(1);
  expect(received()).toContain(String(status));
  socket.destroy();
});

test('a file that is sent several times at once is stored once', async ({ service, account }) => {
  const bytes = largePng(2_000_003);
  const url = await newUploadUrl(account, bytes);
  const send = async (to: string) => (await put(to, bytes)).status;
  expect(await concurrently(8, () => send(url))).toEqual(Array(8).fill(204));
  expect([(await service.files.list(account.id)).length, await service.files.incoming()]).toEqual([1, []]);
  const { uploadUrl, proof } = await delivered(account, bytes);
  const [writers, readers] = [
    concurrently(4, () => send(uploadUrl)),
    concurrently(10, () => bytesOf(proof.signature_url)),
  ];
  expect(new Set([...(await writers), ...(await readers)])).toEqual(new Set([204, `200 ${sha256(bytes)}`]));
});

test('signed URLs of a disabled account return 404 at once', async ({ service, account }) => {
  const bytes = largePng(1000);
  const { uploadUrl, proof } = await delivered(account, bytes);
  await disableAccount(service.db, account.id);
  for (const response of [await fetch(proof.signature_url), await put(uploadUrl, bytes)])
    expect(await problemOf(response)).toMatchObject({ status: 404, code: 'not_found' });
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
])('an upload is not stored before its last byte, nor when %s meanwhile', async ([, change], { service, account }) => {
  const bytes = largePng(300_000);
  const url = await newUploadUrl(account, bytes);
  const end = await begin(service, url, { 'content-length': bytes.length }, bytes.subarray(0, 200_000));
  expect(await service.files.list(account.id)).toEqual([]);
  await change(service, account);
  expect(await end(bytes.subarray(200_000))).toMatch(/HTTP\/1\.1 404 /);
  const rows = await service.db.selectFrom('proof_uploads').select('verified_at').where('account_id', '=', account.id);
  expect(await rows.execute()).toEqual([{ verified_at: null }]);
});

test('an endless PUT returns 413', async ({ service, account }) => {
  const url = await newUploadUrl(account, uniquePng('small'));
  const { socket, received, closed } = await open({ origin: url });
  socket.write(putHead(url, { 'transfer-encoding': 'chunked' }));
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  let sent = 0;
  const pump = (): void => {
    while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
  };
  socket.on('drain', pump);
  pump();
  await closed;
  expect(received().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413']);
  // What the service reads after its response, and what lies in the buffers of both ends.
  expect(sent).toBeLessThan(100 * 1024 * 1024);
  expect(await service.files.incoming()).toEqual([]);
});

// Clean-up is for all accounts.
testWithOwnService(
  'clean-up removes uploads without a proof, and their files, after 25 hours',
  async ({ service, account }) => {
    const { db, files } = service;
    const { tracking_number } = await inTransit(account);
    const body = await proofFor(account, tracking_number);
    const proof = await account.client.submitProofOfDelivery({ tracking_number, ...body });
    const bound = (await files.list(account.id)).map(({ name }) => name);
    await upload(account, (await newShipment(account)).tracking_number, 'photo');
    const removedAfter = async (hours: string) => {
      await sql`update proof_uploads set created_at = now() - ${hours}::interval`.execute(db);
      return (await cleanUp({ ...service, retention: { positionDays: 7 } })).uploads;
    };
    expect(await removedAfter('24 h 50 min')).toBe(0);
    expect(await files.list(account.id)).toHaveLength(bound.length + 1);
    expect(await removedAfter('25 h')).toBe(1);
    expect((await files.list(account.id)).map(({ name }) => name)).toEqual(bound);
    expect((await fetch(signatureUrl(proof))).status).toBe(200);
  },
);
