import { open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { disableAccount } from '@waybill/server/auth/administration';
import { expect, vi } from 'vitest';
import { problemOf } from '../fixtures/http.ts';
import { uniquePng } from '../fixtures/images.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { connectTo, putHead } from './connection.ts';
import { declare, delivered, incomingFiles, largePng, put, sha256, test } from './environment.ts';

const bytesOf = async (url: string): Promise<string> => {
  const response = await fetch(url);
  return `${response.status} ${sha256(await response.bytes())}`;
};

/** The path of the stored file of this size. */
async function storedFile(folder: string, accountId: string, size: number): Promise<string> {
  const names = await readdir(join(folder, accountId));
  const files = await Promise.all(
    names.map(async (name) => ({
      path: join(folder, accountId, name),
      ...(await stat(join(folder, accountId, name))),
    })),
  );
  const file = files.find((one) => one.size === size);
  if (!file) throw new Error(`No stored file has ${size} bytes`);
  return file.path;
}

test('putProofFile does not write a stored file again, whatever is sent', async ({ account, folder }) => {
  const bytes = largePng(200_001);
  const { uploadUrl, proof } = await delivered(account, bytes);
  const path = await storedFile(folder, account.id, bytes.length);
  const before = await stat(path, { bigint: true });
  const unchanged = async (): Promise<void> => {
    expect(await bytesOf(proof.signature_url)).toBe(`200 ${sha256(bytes)}`);
    const { ino, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    expect({ ino, mtimeNs, ctimeNs }).toEqual({ ino: before.ino, mtimeNs: before.mtimeNs, ctimeNs: before.ctimeNs });
    expect(await incomingFiles(folder)).toEqual([]);
  };
  const refused: [string, Uint8Array<ArrayBuffer>, number, string][] = [
    ['other bytes of the same length', bytes.with(-1, 1), 409, 'file_conflict'],
    ['fewer bytes', bytes.slice(0, -1), 409, 'file_conflict'],
    ['no bytes', new Uint8Array(), 409, 'file_conflict'],
    ['more bytes', Uint8Array.from([...bytes, 1]), 409, 'file_conflict'],
    ['another image', uniquePng('other'), 409, 'file_conflict'],
  ];
  for (const [name, body, status, code] of refused) {
    expect(await problemOf(await put(uploadUrl, body)), name).toMatchObject({ status, code });
    await unchanged();
  }
  expect((await put(uploadUrl, bytes, 'image/jpeg')).status).toBe(415);
  await unchanged();
  expect((await put(uploadUrl, bytes)).status).toBe(204);
  await unchanged();
});

test('putProofFile returns 204 to concurrent requests with the same bytes and stores the file once', async ({
  account,
  folder,
}) => {
  const bytes = largePng(500_003);
  const { tracking_number } = await newShipment(account);
  const { upload_url } = await declare(account, tracking_number, bytes);
  const responses = await Promise.all(Array.from({ length: 8 }, () => put(upload_url, bytes)));
  expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(204));
  expect(await readdir(join(folder, account.id))).toHaveLength(1);
  expect(await incomingFiles(folder)).toEqual([]);
});

test('getProofFile returns the complete file to every reader while the same bytes are sent again', async ({
  account,
}) => {
  const bytes = largePng(2_000_003);
  const { uploadUrl, proof } = await delivered(account, bytes);
  const writers = Array.from({ length: 8 }, () => put(uploadUrl, bytes).then(({ status }) => status));
  const readers = Array.from({ length: 30 }, () => bytesOf(proof.signature_url));
  expect(new Set(await Promise.all(writers))).toEqual(new Set([204]));
  expect(new Set(await Promise.all(readers))).toEqual(new Set([`200 ${sha256(bytes)}`]));
});

test.for([
  ['missing', (path: string) => rm(path)],
  ['truncated', (path: string) => truncate(path, 1000)],
] as const)(
  'getProofFile returns 500 without success headers for a %s file',
  async ([, damage], { account, folder }) => {
    const bytes = largePng(300_007);
    const { proof } = await delivered(account, bytes);
    await damage(await storedFile(folder, account.id, bytes.length));
    const response = await fetch(proof.signature_url);
    expect(response.headers.get('cache-control')).toBeNull();
    expect(response.headers.get('content-disposition')).toBeNull();
    expect(await problemOf(response)).toMatchObject({ status: 500, code: 'internal_error' });
  },
);

/** What every open file of this process is made from, so that a test can make a disk fail. */
async function fileHandles(): Promise<Awaited<ReturnType<typeof open>>> {
  const file = await open(import.meta.filename);
  await file.close();
  return Object.getPrototypeOf(file);
}

test('getProofFile closes the connection when a file ends early', async ({ account }) => {
  const { proof } = await delivered(account, largePng(300_011));
  const short = Readable.from([Buffer.alloc(1000)], { objectMode: false });
  using _ = vi.spyOn(await fileHandles(), 'createReadStream').mockReturnValueOnce(short as never);
  const response = await fetch(proof.signature_url);
  expect(response.status).toBe(200);
  await expect(response.bytes()).rejects.toThrow();
});

test.for(['writeFile', 'sync'] as const)(
  'putProofFile returns 503 and leaves no file when the disk is full at %s',
  async (method, { account, folder }) => {
    const bytes = largePng(100_003);
    const { tracking_number } = await newShipment(account);
    const { upload_url } = await declare(account, tracking_number, bytes);
    {
      const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      using _ = vi.spyOn(await fileHandles(), method).mockRejectedValueOnce(full);
      const response = await put(upload_url, bytes);
      expect(response.headers.get('retry-after')).toBe('2');
      expect(await problemOf(response)).toMatchObject({ status: 503, code: 'unavailable' });
    }
    expect(await incomingFiles(folder)).toEqual([]);
    expect((await put(upload_url, bytes)).status).toBe(204);
  },
);

test('signed URLs of a disabled account return 404 at once', async ({ service, account }) => {
  const bytes = largePng(1000);
  const { uploadUrl, proof } = await delivered(account, bytes);
  expect((await fetch(proof.signature_url)).status).toBe(200);
  await disableAccount(service.db, account.id);
  expect(await problemOf(await fetch(proof.signature_url))).toMatchObject({ status: 404, code: 'not_found' });
  expect(await problemOf(await put(uploadUrl, bytes))).toMatchObject({ status: 404, code: 'not_found' });
});

test('an upload is not verified when its account is disabled while its bytes arrive', async ({
  service,
  account,
  folder,
}) => {
  const bytes = largePng(1000);
  const { tracking_number } = await newShipment(account);
  const { upload_url } = await declare(account, tracking_number, bytes);
  const { socket, received, responses } = await connectTo(upload_url);
  socket.write(putHead(upload_url, { 'content-length': bytes.length }));
  socket.write(bytes.subarray(0, 500));
  await vi.waitFor(async () => expect(await incomingFiles(folder)).toHaveLength(1), waitTimeout);
  await disableAccount(service.db, account.id);
  socket.write(bytes.subarray(500));
  await responses(1);
  expect(received()).toMatch(/HTTP\/1\.1 404 /);
  const rows = await service.db.selectFrom('proof_uploads').select('verified_at').where('account_id', '=', account.id);
  expect(await rows.execute()).toEqual([{ verified_at: null }]);
  socket.destroy();
});

test('getProofFile ends the download of a client that does not read it', async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startService({ LOG_LEVEL: 'info', REQUEST_SECONDS: '1' }, log);
  const size = 10 * 1024 * 1024;
  const { proof } = await delivered(await newAccount(service), largePng(size));
  const connection = await connectTo(proof.signature_url);
  const { host, pathname } = new URL(proof.signature_url);
  connection.socket.pause().write(`GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  await vi.waitFor(() => expect(log.some(({ route }) => String(route).includes('/files/'))).toBe(true), waitTimeout);
  connection.socket.resume();
  await connection.closed;
  expect(connection.received().length).toBeLessThan(size);
});
