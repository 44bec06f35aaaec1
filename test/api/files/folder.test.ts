import { type FileHandle, open, rm } from 'node:fs/promises';
import { boundedCalls } from '@waybill/server/storage/folder';
import { expect, vi } from 'vitest';
import { problemOf } from '../../fixtures/http.ts';
import { largePng } from '../../fixtures/images.ts';
import { delivered, newUploadUrl, put } from '../../fixtures/requests.ts';
import { startService } from '../../fixtures/service.ts';
import { test } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';

/** The prototype of all open files of this process, so that a test can make a disk fail. */
async function fileHandles(): Promise<FileHandle> {
  await using file = await open(import.meta.filename);
  return Object.getPrototypeOf(file);
}

test('getProofFile closes the connection when a file ends early', async ({ account }) => {
  const { proof } = await delivered(account, largePng(300_011));
  const handles = await fileHandles();
  using _ = vi
    .spyOn(handles, 'read')
    .mockResolvedValueOnce({ bytesRead: 999, buffer: Buffer.alloc(999) })
    .mockResolvedValueOnce({ bytesRead: 0, buffer: Buffer.alloc(0) });
  const response = await fetch(proof.signature_url);
  expect(response.status).toBe(200);
  await expect(response.bytes()).rejects.toThrow();
});

test('getProofFile closes the file when its size cannot be read', async ({ service, account }) => {
  const { proof } = await delivered(account, largePng(1000));
  using _ = vi.spyOn(await fileHandles(), 'stat').mockRejectedValueOnce(new Error('EIO: i/o error, fstat'));
  expect((await fetch(proof.signature_url)).status).toBe(500);
  expect(await service.files.open()).toEqual([]);
});

test.for(['writeFile', 'sync'] as const)(
  'putProofFile leaves no file when the disk is full at %s',
  async (method, { service, account }) => {
    const bytes = largePng(100_003);
    const url = await newUploadUrl(account, bytes);
    {
      const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      using _ = vi.spyOn(await fileHandles(), method).mockRejectedValueOnce(full);
      const response = await put(url, bytes);
      expect(response.headers.get('retry-after')).toBe('2');
      expect(await problemOf(response)).toMatchObject({ status: 503, code: 'unavailable' });
    }
    expect(await service.files.incoming()).toEqual([]);
    expect((await put(url, bytes)).status).toBe(204);
  },
);

test('getProofFile waits STORAGE_TIMEOUT_MS for the file system, and not longer', async ({
  service: patient,
  account,
}) => {
  const STORAGE_URL = `file:${patient.storageFolder}`;
  await using impatient = await startService({ STORAGE_URL, STORAGE_TIMEOUT_MS: '200' });
  const bytes = largePng(1000);
  const { proof } = await delivered(account, bytes);
  const handles = await fileHandles();
  const { stat } = handles;
  const responding = Promise.withResolvers<void>();
  using hanging = vi.spyOn(handles, 'stat').mockImplementation(async function (this: FileHandle) {
    await responding.promise;
    return stat.call(this);
  } as typeof stat);
  // It is sent first: a timeout that is the same for both would end it first.
  const waiting = fetch(proof.signature_url);
  await vi.waitFor(() => expect(hanging).toHaveBeenCalledTimes(1), waitTimeout);
  const ended = await fetch(proof.signature_url.replace(patient.origin, impatient.origin));
  expect(await problemOf(ended)).toMatchObject({ status: 503, code: 'unavailable' });
  responding.resolve();
  const response = await waiting;
  expect([response.status, await response.bytes()]).toEqual([200, bytes]);
});

/** A call that ends when the test wants it. */
function hangingCall() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let isStarted = false;
  const call = (): Promise<string> => {
    isStarted = true;
    return promise;
  };
  return { call, resolve, reject, isStarted: () => isStarted };
}

test('calls of a file system that hangs fail after the timeout, and leave a thread for others', async () => {
  const run = boundedCalls(100);
  const calls = Array.from({ length: 5 }, hangingCall);
  const discarded: string[] = [];
  const results = await Promise.allSettled(calls.map(({ call }) => run(call, (late) => discarded.push(late))));
  for (const result of results)
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'STORAGE_UNAVAILABLE' } });
  expect(calls.map(({ isStarted }) => isStarted())).toEqual([true, true, true, false, false]);
  for (const { resolve } of calls) resolve('late');
  expect(await run(async () => 'next')).toBe('next');
  expect(discarded).toEqual(['late', 'late', 'late']);
});

test('errors of the file system are errors of the storage, except for a missing file', async () => {
  const run = boundedCalls(60_000);
  const fail = (code: string) => run(() => Promise.reject(Object.assign(new Error(code), { code })));
  for (const code of ['EROFS', 'EACCES', 'EIO', 'ENOSPC', 'ESTALE'])
    await expect(fail(code)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', message: code });
  await expect(run(() => rm('/nothing/here'))).rejects.toMatchObject({ code: 'ENOENT' });
});
