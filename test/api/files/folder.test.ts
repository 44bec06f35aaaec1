import { type FileHandle, open, rm } from 'node:fs/promises';
import { boundedCalls } from '@waybill/server/storage/folder';
import { expect, vi } from 'vitest';
import { problemOf } from '../../fixtures/http.ts';
import { largePng } from '../../fixtures/images.ts';
import { delivered, newUploadUrl, put } from '../../fixtures/requests.ts';
import { startService } from '../../fixtures/service.ts';
import { test } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';

const file = await open(import.meta.filename);
await file.close();
/** The prototype of all open files of this process, so that a test can make a disk fail. */
const handles: FileHandle = Object.getPrototypeOf(file);
const errorOf = (code: string) => Object.assign(new Error(code), { code });

test('getProofFile closes the connection of a file that ends early, and a file without size', async ({
  service,
  account,
}) => {
  const { signature_url } = (await delivered(account, largePng(300_011))).proof;
  const buffer = Buffer.alloc(999);
  using read = vi.spyOn(handles, 'read').mockResolvedValueOnce({ bytesRead: 999, buffer });
  read.mockResolvedValueOnce({ bytesRead: 0, buffer });
  const response = await fetch(signature_url);
  expect(response.status).toBe(200);
  await expect(response.bytes()).rejects.toThrow();
  using _ = vi.spyOn(handles, 'stat').mockRejectedValueOnce(errorOf('EIO'));
  expect((await fetch(signature_url)).status).toBe(503);
  expect(await service.files.open()).toEqual([]);
});

test.for(['writeFile', 'sync'] as const)(
  'putProofFile leaves no file when the disk is full at %s',
  async (method, { service, account }) => {
    const bytes = largePng(100_003);
    const url = await newUploadUrl(account, bytes);
    using _ = vi.spyOn(handles, method).mockRejectedValueOnce(errorOf('ENOSPC'));
    const response = await put(url, bytes);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await problemOf(response)).toMatchObject({ status: 503, code: 'unavailable' });
    expect(await service.files.incoming()).toEqual([]);
    expect((await put(url, bytes)).status).toBe(204);
  },
);

test('getProofFile waits STORAGE_TIMEOUT_MS for the file system, and not longer', async ({ service, account }) => {
  const STORAGE_URL = service.files.url;
  await using impatient = await startService({ STORAGE_URL, STORAGE_TIMEOUT_MS: '200' });
  const bytes = largePng(1000);
  const { signature_url } = (await delivered(account, bytes)).proof;
  const { stat } = handles;
  const responding = Promise.withResolvers<void>();
  using hanging = vi.spyOn(handles, 'stat').mockImplementation(async function (this: FileHandle) {
    await responding.promise;
    return stat.call(this);
  } as typeof stat);
  // It is sent first: a timeout that is the same for both would end it first.
  const waiting = fetch(signature_url);
  await vi.waitFor(() => expect(hanging).toHaveBeenCalledTimes(1), waitTimeout);
  const ended = await fetch(signature_url.replace(service.origin, impatient.origin));
  expect(await problemOf(ended)).toMatchObject({ status: 503, code: 'unavailable' });
  responding.resolve();
  expect(await (await waiting).bytes()).toEqual(bytes);
});

test('calls of a file system that hangs fail after the timeout, and leave a thread for others', async () => {
  const run = boundedCalls(100);
  const { promise, resolve } = Promise.withResolvers<string>();
  const hanging = vi.fn(() => promise);
  const discard = vi.fn();
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => run(hanging, discard)));
  const rejected = { status: 'rejected', reason: { code: 'STORAGE_UNAVAILABLE' } };
  expect(results).toMatchObject(results.map(() => rejected));
  expect(hanging).toHaveBeenCalledTimes(3);
  resolve('late');
  expect(await run(async () => 'next')).toBe('next');
  expect(discard.mock.calls).toEqual([['late'], ['late'], ['late']]);
});

test('errors of the file system are errors of the storage, except for a missing file', async () => {
  const run = boundedCalls(60_000);
  const fails = expect(run(() => Promise.reject(errorOf('EACCES'))));
  await fails.rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', message: 'EACCES' });
  await expect(run(() => rm('/nothing/here'))).rejects.toMatchObject({ code: 'ENOENT' });
});
